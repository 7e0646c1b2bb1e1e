import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { createT, type T, type Texts } from './createT.ts'
import { en } from './en.ts'

/**
 * Looks up messages in the app's language: the messages of all views, and those in `own`, which
 * load with the view.
 */
export function useT<Own extends Texts = typeof en>(own?: Own): T<typeof en & Own> {
  const { locale, messages } = useLatchkey()
  return useMemo(
    () => createT<typeof en & Own>(own ? [en, own] : [en], { locale, messages }),
    [own, locale, messages],
  )
}
