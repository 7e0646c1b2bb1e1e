import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T } from './createT.ts'
import { en } from './en.ts'
import { enHoldings } from './enHoldings.ts'

const catalogue = { ...en, ...enHoldings }

/** Looks up any text, those of NFTs and of sending to a name included. */
export function useHoldingsT(): T<typeof catalogue> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(catalogue, { locale, messages }), [locale, messages])
}
