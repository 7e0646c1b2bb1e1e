import { useMemo } from 'react'
import { useLatchkey } from '../context.ts'
import { createT, type T } from '../locales/createT.ts'
import { en } from '../locales/en.ts'
import { enHoldings } from '../locales/enHoldings.ts'

const catalogue = { ...en, ...enHoldings }

/** Looks up any text, those of NFTs and of sending to a name included. */
export function useHoldingsT(): T<typeof catalogue> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(catalogue, { locale, messages }), [locale, messages])
}
