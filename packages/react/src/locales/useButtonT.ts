import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T } from './createT.ts'
import { enButtons } from './enButtons.ts'

/** Looks up the texts that are available before the modal's code is. */
export function useButtonT(): T<typeof enButtons> {
  const { locale, messages } = useLatchkey()
  return useMemo(
    () => createT<typeof enButtons>([enButtons], { locale, messages }),
    [locale, messages],
  )
}
