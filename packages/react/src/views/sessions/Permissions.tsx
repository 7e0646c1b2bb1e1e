import { fromSmallestUnit, truncateAddress } from '@latchkey/core'
import type { SessionEntry } from '@latchkey/wire'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enSessions } from '../../locales/enSessions.ts'
import { useT } from '../../locales/useT.ts'
import styles from './SmartSessions.module.css'

type Permission = SessionEntry['permissions'][number]
const daySeconds = 86_400

/** What a session may do, and how much of each allowance its period has used. */
export function Permissions({ session }: { session: SessionEntry }) {
  let index = 0
  return (
    <ul className={styles.permissions}>
      {session.permissions.map((permission) => {
        // The server counts by what is allowed: each function of a contract is a thing of its own.
        const at = index
        index += permission.type === 'contract-call' ? permission.data.functions.length : 1
        const used = session.uses.find((use) => use.index === at)?.used
        return <PermissionLine key={at} permission={permission} used={used} />
      })}
    </ul>
  )
}

function PermissionLine({
  permission,
  used,
}: {
  permission: Permission
  used: string | undefined
}) {
  const t = useT(enSessions)
  const { network } = useNetwork()
  const { balances } = useBalances()
  if (permission.type === 'contract-call') {
    const { address, functions } = permission.data
    const names = functions.map(({ functionName }) => functionName).join(', ')
    return (
      <li title={address}>
        {t('sessions.call', { functions: names, contract: truncateAddress(address) })}
      </li>
    )
  }
  const { allowance, period } = permission.data
  const token = permission.type === 'erc20-recurring-allowance' ? permission.data.token : undefined
  const held = balances?.find(
    (one) => token !== undefined && one.address?.toLowerCase().endsWith(token.toLowerCase()),
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
  const amount = format(BigInt(allowance))
  const every =
    period % daySeconds === 0
      ? t('sessions.days', { count: period / daySeconds })
      : t('sessions.seconds', { count: period })
  return (
    <li>
      {t('sessions.allowance', { amount, period: every })}
      {used !== undefined && (
        <span className={styles.used}>
          {t('sessions.used', { used: format(BigInt(used)), amount })}
        </span>
      )}
    </li>
  )
}
