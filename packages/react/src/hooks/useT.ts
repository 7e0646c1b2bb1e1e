import { useMemo } from 'react'
import { useLatchkey } from '../context.ts'
import { createT, type T } from '../locales/createT.ts'
import { en } from '../locales/en.ts'

/** Looks up any text of the product in the app's language. */
export function useT(): T<typeof en> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(en, { locale, messages }), [locale, messages])
}
