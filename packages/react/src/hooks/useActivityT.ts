import { useMemo } from 'react'
import { useLatchkey } from '../context.ts'
import { createT, type T } from '../locales/createT.ts'
import { en } from '../locales/en.ts'
import { enActivity } from '../locales/enActivity.ts'

const catalogue = { ...en, ...enActivity }

/** Looks up any text, those of the activity list and the tokens tab included. */
export function useActivityT(): T<typeof catalogue> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(catalogue, { locale, messages }), [locale, messages])
}
