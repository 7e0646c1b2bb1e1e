import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T } from './createT.ts'
import { en } from './en.ts'
import { enHoldings } from './enHoldings.ts'
import { enNames } from './enNames.ts'

const catalogue = { ...en, ...enHoldings, ...enNames }

/** Looks up any text, those about names and of the field for a receiver included. */
export function useNamesT(): T<typeof catalogue> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(catalogue, { locale, messages }), [locale, messages])
}
