import { useMemo } from 'react'
import { useLatchkey } from '../context.ts'
import { createT, type T } from '../locales/createT.ts'
import { enButtons } from '../locales/enButtons.ts'

/** Looks up the texts that are there before the modal's code is. */
export function useButtonT(): T<typeof enButtons> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(enButtons, { locale, messages }), [locale, messages])
}
