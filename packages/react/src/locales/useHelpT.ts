import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T } from './createT.ts'
import { en } from './en.ts'
import { enHelp } from './enHelp.ts'

const catalogue = { ...en, ...enHelp }

/** Looks up any text, those that explain wallets and networks included. */
export function useHelpT(): T<typeof catalogue> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(catalogue, { locale, messages }), [locale, messages])
}
