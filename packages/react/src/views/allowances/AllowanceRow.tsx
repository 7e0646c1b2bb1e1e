import {
  type AllowanceRisk,
  explorerUrl,
  formatDollars,
  formatQuantity,
  relativeTime,
  truncateAddress,
} from '@latchkey/core/internal'
import type { Allowance } from '@latchkey/wire'
import { useLatchkey } from '../../app/context.ts'
import { useCopy } from '../../app/useCopy.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enAllowances } from '../../locales/enAllowances.ts'
import { useT } from '../../locales/useT.ts'
import { IconButton } from '../../parts/Button.tsx'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Tag } from '../../parts/Row.tsx'
import views from '../view.module.css'
import styles from './Allowances.module.css'

/**
 * An allowance: its amount, what the spender can take now, the spender, its age, and a checkbox if
 * `onChoose` is set.
 */
export function AllowanceRow({
  risk,
  nowMs,
  isChosen,
  disabled,
  onChoose,
}: {
  risk: AllowanceRisk
  nowMs: number
  isChosen: boolean
  disabled: boolean
  onChoose: ((isChosen: boolean) => void) | undefined
}) {
  const { allowance } = risk
  const { token, spender } = allowance
  const name = token.symbol ?? token.name ?? truncateAddress(getContract(allowance))
  const inside = (
    <>
      <Picture src={token.iconUrl ?? undefined} name={name} round />
      <span className={styles.words}>
        <span className={styles.what}>
          <bdi translate="no" className={styles.name} title={token.name ?? undefined}>
            {name}
          </bdi>
          <HowMuch allowance={allowance} />
        </span>
        <Takes risk={risk} name={name} />
        <Details risk={risk} nowMs={nowMs} />
      </span>
    </>
  )
  return (
    <li className={styles.item}>
      {onChoose ? (
        <label className={styles.row}>
          <input
            type="checkbox"
            checked={isChosen}
            disabled={disabled}
            onChange={(event) => onChoose(event.target.checked)}
          />
          {inside}
        </label>
      ) : (
        <div className={styles.row}>{inside}</div>
      )}
      <Spender address={spender} name={allowance.spenderName} />
    </li>
  )
}

const getContract = ({ token }: Allowance) => token.address.split(':').at(-1) ?? ''
const getSpender = ({ spender, spenderName }: Allowance) => spenderName ?? truncateAddress(spender)

function HowMuch({ allowance }: { allowance: Allowance }) {
  const t = useT(enAllowances)
  const { kind, tokenId, amount, isUnlimited } = allowance
  if (kind === 'operator') return <Mark icon="alert">{t('allowances.all')}</Mark>
  if (isUnlimited) return <Mark icon="alert">{t('allowances.unlimited')}</Mark>
  if (kind === 'erc721')
    return (
      <bdi translate="no" className={styles.amount}>
        #{shortId(tokenId ?? '')}
      </bdi>
    )
  if (amount === null) return <Mark icon="alert">{t('allowances.unknown')}</Mark>
  return (
    <bdi translate="no" className={styles.amount} title={amount}>
      {formatShort(amount)}
    </bdi>
  )
}

/** A quantity without zeros at its end. */
const formatShort = (amount: string) => formatQuantity(amount).replace(/\.?0+$/, '')

const shortId = (id: string) => (id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id)

/** A warning in words, with an icon and a color. */
const Mark = ({ icon, children }: { icon: IconName; children: string }) => (
  <Tag tone="danger">
    <span className={styles.mark}>
      <Icon name={icon} size={16} />
      <span>{children}</span>
    </span>
  </Tag>
)

function Takes({ risk, name }: { risk: AllowanceRisk; name: string }) {
  const t = useT(enAllowances)
  const { locale } = useLatchkey()
  const { allowance, takes, amount, dollars } = risk
  const value = dollars === undefined ? t('allowances.noPrice') : formatDollars(dollars, locale)
  const getText = () => {
    if (takes === 'expired') return t('allowances.takesExpired')
    if (takes === 'nothing') return t('allowances.takesNothing')
    if (allowance.kind === 'erc721') return t('allowances.takesNft', { value })
    if (allowance.kind === 'operator') return t('allowances.takesNfts', { token: name, value })
    if (takes === 'all') return t('allowances.takesAll', { token: name, value })
    if (amount === undefined) return t('allowances.takesUnknown', { token: name })
    const fill = { amount: formatShort(amount), token: name, value }
    return t(takes === 'part' ? 'allowances.takesPart' : 'allowances.takesUpTo', fill)
  }
  return (
    <span className={styles.takes} title={amount && `${amount} ${name}`}>
      {getText()}
    </span>
  )
}

function Details({ risk, nowMs }: { risk: AllowanceRisk; nowMs: number }) {
  const t = useT(enAllowances)
  const { locale } = useLatchkey()
  const { allowance, isOld } = risk
  const { kind, spender, changedAt, expiresAt } = allowance
  const changedMs = Date.parse(changedAt)
  const age = relativeTime({ atMs: changedMs, nowMs })
  const endsMs = expiresAt === null ? Number.NaN : Date.parse(expiresAt)
  const who = getSpender(allowance)
  const facts = [
    t(kind === 'permit2' ? 'allowances.byPermit2' : 'allowances.to', { who }),
    !Number.isNaN(changedMs) &&
      t('allowances.changed', { age: t(`time.${age.unit}`, { count: age.count }) }),
    !Number.isNaN(endsMs) &&
      t('allowances.expires', {
        date: new Date(endsMs).toLocaleDateString(locale, { dateStyle: 'medium' }),
      }),
  ].filter((fact) => fact !== false)
  return (
    <span className={styles.detail} title={spender}>
      <span>{facts.join(' · ')}</span>
      {isOld && <Mark icon="clock">{t('allowances.old')}</Mark>}
    </span>
  )
}

/**
 * Links to the spender in the explorer, or copies its whole address if the network has no explorer.
 */
function Spender({ address, name }: { address: string; name: string | null }) {
  const t = useT(enAllowances)
  const { network } = useNetwork()
  const { copied, copy } = useCopy()
  const href = explorerUrl(network, { address })
  const label = t('allowances.spender', { who: name ?? address })
  if (href)
    return (
      <a
        className={styles.link}
        href={href}
        target="_blank"
        rel="noreferrer noopener"
        aria-label={label}
      >
        <Icon name="external" />
      </a>
    )
  return (
    <>
      <IconButton
        icon={copied ? 'check' : 'copy'}
        label={`${t('action.copy')} ${label}`}
        onClick={() => copy(address)}
      />
      <span className={views.hidden} role="status">
        {copied && t('action.copied')}
      </span>
    </>
  )
}
