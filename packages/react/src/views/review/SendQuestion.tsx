import type { Receiver } from '@latchkey/core'
import type { ReactNode } from 'react'
import { useContact } from '../../app/useContact.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Question } from './Question.tsx'

/**
 * Asks whether to send an asset. It mentions the receiver only by name: a shortened address would
 * hide a lookalike.
 */
export function SendQuestion({
  asset,
  receiver: { address, name },
  picture,
  children,
}: {
  asset: ReactNode
  receiver: Receiver
  picture: ReactNode
  /** Details of the asset. */
  children: ReactNode
}) {
  const t = useT(enHoldings)
  const contact = useContact(address)
  const receiver = name ?? contact?.name
  const rest = { picture, children }
  return receiver === undefined ? (
    <Question text={(fill) => t('preview.ask', fill)} parts={{ asset }} {...rest} />
  ) : (
    <Question
      text={(fill) => t('preview.askTo', fill)}
      parts={{ asset, receiver: <bdi translate="no">{receiver}</bdi> }}
      {...rest}
    />
  )
}
