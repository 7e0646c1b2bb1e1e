import { fromSmallestUnit, truncateAddress } from '@latchkey/core/internal'
import type { SessionEntry } from '@latchkey/wire'
import { type Allowed, formatArgument, readPermissions } from '@latchkey/wire/permissions'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enSessions } from '../../locales/enSessions.ts'
import { useT } from '../../locales/useT.ts'
import styles from './SmartSessions.module.css'

type AllowedCall = Extract<Allowed, { kind: 'call' }>
type Allowance = Exclude<Allowed, AllowedCall>
const daySeconds = 86_400

/**
 * The permissions of a session with every limit that its approval showed, and the used part of each
 * allowance in its current period.
 */
export function Permissions({ session }: { session: SessionEntry }) {
  const t = useT(enSessions)
  const { address } = useAccountScope()
  const allowed = tryRead(session, address ?? '')
  if (!allowed) return <p className={styles.error}>{t('sessions.unreadable')}</p>
  return (
    <ul className={styles.permissions}>
      {[...allowed.entries()].map(([at, one]) => {
        if (one.kind === 'call') return <CallLine key={at} call={one} />
        const used = session.uses.find(({ index }) => index === at)?.used
        return <AllowanceLine key={at} allowance={one} used={used} />
      })}
    </ul>
  )
}

/**
 * The parsed permissions of the session; undefined if this version cannot parse them. The session
 * can be revoked even then.
 */
function tryRead({ permissions }: SessionEntry, address: string): readonly Allowed[] | undefined {
  try {
    return readPermissions(permissions, address)
  } catch {
    return undefined
  }
}

const operators = {
  EQUAL: 'sessions.equal',
  GREATER_THAN: 'sessions.greater',
  LESS_THAN: 'sessions.less',
} as const

function CallLine({ call: { contract, signature, valueLimit, rules } }: { call: AllowedCall }) {
  const t = useT(enSessions)
  const { network } = useNetwork()
  const { symbol, decimals } = network.nativeCurrency
  return (
    <li title={contract}>
      <span translate="no">
        {t('sessions.call', { function: signature, contract: truncateAddress(contract) })}
      </span>
      <span className={styles.limit}>
        {t('sessions.value', { amount: `${fromSmallestUnit(valueLimit, decimals)} ${symbol}` })}
      </span>
      {rules.map((rule) => (
        <span key={`${rule.index} ${rule.operator}`} className={styles.limit}>
          {t(operators[rule.operator], {
            number: rule.index + 1,
            type: rule.type,
            value: formatArgument(rule),
          })}
        </span>
      ))}
      {!signature.endsWith('()') && <span className={styles.limit}>{t('sessions.free')}</span>}
    </li>
  )
}

function AllowanceLine({ allowance, used }: { allowance: Allowance; used: string | undefined }) {
  const t = useT(enSessions)
  const { network } = useNetwork()
  const { data: balances } = useBalances()
  const { period } = allowance
  const token = allowance.kind === 'erc20' ? allowance.token : undefined
  const held = balances?.find(
    (one) => token !== undefined && one.address?.toLowerCase().endsWith(token),
  )
  const format = (amount: bigint): string => {
    const { symbol, decimals } =
      token === undefined
        ? network.nativeCurrency
        : { symbol: held?.symbol, decimals: Number(held?.quantity.decimals) }
    if (symbol === undefined || Number.isNaN(decimals))
      return t('sessions.units', { amount: String(amount), token: truncateAddress(token ?? '') })
    return `${fromSmallestUnit(amount, decimals)} ${symbol}`
  }
  const amount = format(allowance.amount)
  const every =
    period % daySeconds === 0
      ? t('sessions.days', { count: period / daySeconds })
      : t('sessions.seconds', { count: period })
  return (
    <li>
      <span>{t('sessions.allowance', { amount, period: every })}</span>
      {used !== undefined && (
        <span className={styles.limit}>
          {t('sessions.used', { used: format(BigInt(used)), amount })}
        </span>
      )}
    </li>
  )
}
