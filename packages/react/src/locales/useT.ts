import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T } from './createT.ts'
import { en } from './en.ts'

/** Looks up any text of the product in the app's language. */
export function useT(): T<typeof en> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(en, { locale, messages }), [locale, messages])
}
