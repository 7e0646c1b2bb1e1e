import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T } from './createT.ts'
import { en } from './en.ts'
import { enActivity } from './enActivity.ts'

const catalogue = { ...en, ...enActivity }

/** Looks up any text, those of the activity list and the tokens tab included. */
export function useActivityT(): T<typeof catalogue> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(catalogue, { locale, messages }), [locale, messages])
}
