import {
  formatDollars,
  networkImageUrl,
  sumDollars,
  truncateAddress,
  useApp,
  useModal,
} from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { Link } from '../parts/Link.tsx'
import { Logo } from '../parts/Logo.tsx'
import { useWatched } from '../watch/useWatched.ts'
import type { HeldAccount, Holdings } from './useHoldings.ts'

/**
 * The accounts of all connected wallets with their values: a press shows a single account and puts
 * it in use, or shows all again. Leads to the wallets and to the watched accounts. Nothing if there
 * is only one account.
 */
export function Accounts({ holdings }: { holdings: Holdings }) {
  const { accounts, account, choose } = holdings
  const watched = useWatched().length
  const { open } = useModal()
  if (accounts.length < 2 && watched === 0) return null
  const total = sumDollars(accounts.map(({ totalValue }) => totalValue))
  return (
    <fieldset className="accounts">
      <legend className="hidden">{text('portfolio.accounts')}</legend>
      <button
        type="button"
        className="chip"
        aria-pressed={account === undefined}
        onClick={() => choose(undefined)}
      >
        {text('portfolio.allAccounts')}
        <Value value={total} isKnown={!holdings.isCounting} />
      </button>
      {accounts.toSorted(byAddress).map((one) => (
        <Account
          key={one.address}
          account={one}
          isChosen={one.address === account?.address}
          isKnown={!holdings.isCounting}
          onChoose={() => choose(one.address)}
        />
      ))}
      {accounts.length > 1 && (
        <button
          type="button"
          className="chip"
          aria-haspopup="dialog"
          onClick={() => open({ name: 'ConnectedWallets' })}
        >
          <Glyph name="wallet" />
          {text('portfolio.wallets')}
        </button>
      )}
      {watched > 0 && (
        <Link to="/watch" className="chip">
          <Glyph name="eye" />
          {text('portfolio.watched', { count: watched })}
        </Link>
      )}
    </fieldset>
  )
}

/** No chip moves when another account is put in use. */
const byAddress = (one: HeldAccount, other: HeldAccount) => (one.address < other.address ? -1 : 1)

function Account({
  account: { address, networks, totalValue },
  isChosen,
  isKnown,
  onChoose,
}: {
  account: HeldAccount
  isChosen: boolean
  isKnown: boolean
  onChoose: () => void
}) {
  const app = useApp()
  const [network] = networks
  return (
    <button
      type="button"
      className="chip"
      aria-pressed={isChosen}
      title={address}
      onClick={onChoose}
    >
      {network && <Logo src={networkImageUrl(app, network)} name={network.name} />}
      <span translate="no">{truncateAddress(address)}</span>
      <Value value={totalValue} isKnown={isKnown} />
    </button>
  )
}

const Value = ({ value, isKnown }: { value: number | undefined; isKnown: boolean }) =>
  isKnown &&
  value !== undefined && (
    <bdi className="quiet" translate="no">
      {formatDollars(value)}
    </bdi>
  )
