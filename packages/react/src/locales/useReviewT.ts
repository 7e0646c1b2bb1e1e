import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T } from './createT.ts'
import { en } from './en.ts'
import { enReview } from './enReview.ts'

const catalogue = { ...en, ...enReview }

/** Looks up any text, those of the review of a page's transaction included. */
export function useReviewT(): T<typeof catalogue> {
  const { locale, messages } = useLatchkey()
  return useMemo(() => createT(catalogue, { locale, messages }), [locale, messages])
}
