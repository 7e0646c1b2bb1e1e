import { truncateAddress } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Logo } from '../parts/Logo.tsx'
import type { LinkReceiver } from './readReceiver.ts'

/** The picture and the name of the receiver of a payment. */
export const PayTitle = ({
  to,
  isName,
  imageUrl,
}: LinkReceiver & { imageUrl?: string | undefined }) => (
  <>
    <Logo src={imageUrl} name={to} />
    <h1>
      <span className="quiet">{text('pay.pay')}</span>{' '}
      <bdi translate="no" title={to}>
        {isName ? to : truncateAddress(to)}
      </bdi>
    </h1>
  </>
)
