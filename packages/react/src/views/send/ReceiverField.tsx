import { getNamespaceName, type Network, type Receiver } from '@latchkey/core/internal'
import { type PaymentLink, readPaymentLink } from '@latchkey/wire'
import { useId, useRef, useState } from 'react'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useContact } from '../../app/useContact.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { ProfilePicture } from '../../parts/ProfilePicture.tsx'
import { Tag } from '../../parts/Row.tsx'
import styles from './ReceiverField.module.css'
import { ReceiverOffers, useOffers } from './ReceiverOffers.tsx'
import { FormattedAddress } from './ReceiverSide.tsx'
import field from './Send.module.css'
import { useLookalike } from './useLookalike.ts'
import { type ReceiverStatus, toReceiver } from './useReceiver.ts'

const wrong: readonly ReceiverStatus[] = [
  'invalid',
  'mistyped',
  'zero',
  'contract',
  'unknown',
  'invalidName',
  'noNames',
  'failed',
]

/** The label of a form's button while its recipient is unknown. */
export const receiverTexts = {
  resolving: 'receiver.wait',
  unresolved: 'receiver.incomplete',
} as const

/**
 * The recipient: an address, a name with its address below, or a payment link (EIP-681, BIP-21,
 * Solana Pay, CAIP-10, ERC-3770) for this network. Contacts and addresses used before are offered
 * below it until it has an address. `reason`: why a name could not be resolved. `note` is an
 * additional hint. `onLink` applies the other parameters of a link, and returns false if that is
 * not possible.
 */
export function ReceiverField({
  receiver,
  status,
  reason,
  note = '',
  onChange,
  onLink = () => true,
  onRetry,
}: {
  receiver: Receiver
  status: ReceiverStatus
  reason: string | undefined
  note?: string
  onChange: (receiver: Receiver) => void
  onLink?: (link: PaymentLink) => boolean
  onRetry: () => void
}) {
  const t = useT(enHoldings)
  const id = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const { names } = useAppCapabilities()
  const { network } = useNetwork()
  const [hint, setHint] = useState<'send.pasteFailed' | 'receiver.noMemo'>()
  const { name, address, imageUrl } = receiver
  const contact = useContact(address)
  const { offers: found, setIsFocused } = useOffers(name ?? address)
  const offers = status === 'ready' ? [] : found
  // The beginning of a contact's name is not a wrong address.
  const isSearch = status === 'invalid' && offers.length > 0
  const isWrong = wrong.includes(status) && !isSearch
  const type = (text: string) => {
    setHint(undefined)
    const link = readPaymentLink(text)
    if (!link) return onChange(toReceiver(text))
    // A link that cannot be paid stays as it is, and the message shows why.
    if (!isLinkForNetwork(link, network) || !onLink(link)) return onChange({ address: text.trim() })
    onChange(toReceiver(link.to))
    if (link.hasMemo) setHint('receiver.noMemo')
  }
  const paste = () =>
    navigator.clipboard.readText().then(type, () => {
      setHint('send.pasteFailed')
    })
  const choose = (chosen: string) => {
    setHint(undefined)
    onChange({ address: chosen })
    // The pressed row is gone.
    input.current?.focus()
  }
  const lookalike = useLookalike(address)
  const message = useMessage({ receiver, status, reason })
  return (
    <div className={field.field} data-wrong={isWrong || undefined}>
      <div className={field.line}>
        <label className={field.label} htmlFor={id}>
          {t('receiver.label')}
        </label>
        <button type="button" className={field.max} onClick={paste}>
          {t('action.paste')}
        </button>
      </div>
      <div className={field.line}>
        <textarea
          ref={input}
          id={id}
          className={field.receiver}
          rows={2}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={t(names ? 'receiver.placeholder' : 'receiver.addressOnly')}
          value={name ?? address}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${id}-note`}
          onFocus={() => setIsFocused(true)}
          onBlur={() => setIsFocused(false)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            // An address has one line; the field has two only to show all of it.
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      <div role="status">
        {name !== undefined && status === 'ready' && (
          <p className={styles.resolved}>
            <ProfilePicture address={address} imageUrl={imageUrl} />
            <FormattedAddress address={address} />
          </p>
        )}
        {contact && status === 'ready' && (
          <p className={styles.resolved}>
            <Tag>{t('receiver.contact')}</Tag>
            <bdi translate="no">{contact.name}</bdi>
          </p>
        )}
      </div>
      {status === 'resolving' && <span className={styles.spinner} aria-hidden="true" />}
      <p id={`${id}-note`} className={field.error} data-quiet={!isWrong || undefined} role="status">
        {isSearch ? t('receiver.choose') : message || (hint ? t(hint) : note)}
      </p>
      {lookalike !== undefined && status === 'ready' && (
        <p className={styles.lookalike} role="alert">
          {t('receiver.lookalike', { address: lookalike })}
        </p>
      )}
      {status === 'failed' && (
        <button type="button" className={styles.retry} onClick={onRetry}>
          {t('action.tryAgain')}
        </button>
      )}
      <ReceiverOffers offers={offers} onChoose={choose} />
    </div>
  )
}

const isLinkForNetwork = (link: PaymentLink, network: Network) =>
  link.namespace === network.chainNamespace &&
  (link.chainId === undefined || link.chainId === network.caipNetworkId) &&
  (link.shortName === undefined || hasShortName(network, link))

const hasShortName = (network: Network, { shortName }: PaymentLink) =>
  shortName !== undefined && network.shortName?.toLowerCase() === shortName

function useMessage({
  receiver,
  status,
  reason,
}: {
  receiver: Receiver
  status: ReceiverStatus
  reason: string | undefined
}): string {
  const t = useT(enHoldings)
  const { network, networks } = useNetwork()
  const name = receiver.name ?? ''
  switch (status) {
    case 'invalid': {
      const link = readPaymentLink(receiver.address)
      if (link && isLinkForNetwork(link, network)) return t('receiver.otherToken')
      const found = networks.find(
        (one) => link && (one.caipNetworkId === link.chainId || hasShortName(one, link)),
      )
      if (link?.shortName !== undefined && !found)
        return t('receiver.unknownPrefix', { prefix: link.shortName })
      const other = link && (found?.name ?? link.chainId ?? getNamespaceName(link.namespace))
      if (other !== undefined) return t('receiver.otherNetwork', { network: other })
      return t('receiver.invalid', { network: network.name })
    }
    case 'mistyped':
      return t('receiver.mistyped')
    case 'zero':
      return t('receiver.zero')
    case 'contract':
      return t('receiver.contract')
    case 'resolving':
      return t('receiver.resolving', { name })
    case 'unknown':
      return t('receiver.unknown', { name })
    case 'invalidName':
      return t('receiver.invalidName')
    case 'noNames':
      return t('receiver.noNames', { network: network.name })
    case 'failed':
      return reason ?? t('receiver.failed')
    default:
      return ''
  }
}
