import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T } from './createT.ts'
import { en } from './en.ts'
import { enLogin } from './enLogin.ts'

const catalogue = { ...en, ...enLogin }

/** Looks up any text, those of the e-mail login's views included. */
export function useLoginT(): T<typeof catalogue> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(catalogue, { locale, messages }), [locale, messages])
}
