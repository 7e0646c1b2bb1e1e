import { sanitizeText } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { formatUnits } from 'viem'
import { accounts } from './accounts.ts'
import type { Chain, Config } from './config.ts'
import { readNode } from './node.ts'
import {
  changeState,
  currentChain,
  disconnectBitcoinSite,
  disconnectPolkadotSite,
  disconnectSite,
  disconnectSolanaSite,
  type Recent,
} from './state.ts'
import { texts } from './texts.ts'
import { useWallet } from './useWallet.ts'
import type { WalletConnect } from './walletConnect/openWalletConnect.ts'
import { texts as connectTexts } from './walletConnect/texts.ts'
import { WalletConnectSection } from './walletConnect/WalletConnectSection.tsx'

const refreshMs = 5_000

/** The wallet's own page. `opened` is the link with which an app opened it. */
export function Wallet({
  config,
  walletConnect,
  opened,
}: {
  config: Config
  walletConnect: WalletConnect | 'none' | 'opening' | 'failed'
  opened?: string | undefined
}) {
  const wallet = useWallet()
  const chain = currentChain(config, wallet)
  const { locked } = wallet
  return (
    <>
      <header>
        <h1>{texts.name}</h1>
        <button
          type="button"
          data-testid={locked ? 'unlock' : 'lock'}
          onClick={() => changeState({ locked: !locked })}
        >
          {locked ? texts.unlock : texts.lock}
        </button>
      </header>
      <p className="warning">{texts.warning}</p>
      {walletConnect === 'failed' && (
        <p role="alert" className="problem" data-testid="walletconnect-failed">
          {connectTexts.cannotOpen}
        </p>
      )}
      {typeof walletConnect === 'object' && (
        <WalletConnectSection {...{ walletConnect, config, locked, opened }} />
      )}
      {locked ? (
        <p data-testid="locked">{texts.locked}</p>
      ) : (
        <>
          <Networks config={config} chain={chain} />
          <Accounts chain={chain} chosen={wallet.account} />
          <label>
            <input
              type="checkbox"
              data-testid="atomic"
              checked={wallet.sendsAtomically}
              onChange={({ target }) => changeState({ sendsAtomically: target.checked })}
            />
            {texts.atomic}
          </label>
          <Sites
            origins={[
              ...new Set(
                [
                  wallet.sites,
                  wallet.solanaSites,
                  wallet.polkadotSites,
                  wallet.bitcoinSites,
                ].flatMap(Object.keys),
              ),
            ]}
          />
          <Requests recent={wallet.recent} />
        </>
      )}
    </>
  )
}

function Networks({ config, chain }: { config: Config; chain: Chain }) {
  return (
    <section>
      <label>
        {texts.network}
        <select
          data-testid="chain"
          value={chain.chainId}
          onChange={({ target }) => changeState({ chainId: Number(target.value) })}
        >
          {config.chains.map(({ chainId, name }) => (
            <option key={chainId} value={chainId}>
              {name} ({chainId})
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}

function Accounts({ chain, chosen }: { chain: Chain; chosen: number }) {
  const balances = useBalances(chain)
  return (
    <section>
      <h2>{texts.accounts}</h2>
      {accounts.map((address, index) => (
        <button
          key={address}
          type="button"
          className="row"
          data-testid={`account-${index}`}
          aria-pressed={index === chosen}
          title={address}
          onClick={() => changeState({ account: index })}
        >
          <span>
            {texts.account(index)} {index === chosen && <em>{texts.inUse}</em>}
            <small>{`${address.slice(0, 4)}…${address.slice(-6)}`}</small>
          </span>
          <span className="amount" data-testid={`balance-${index}`}>
            {balances[index] ?? '…'}
          </span>
        </button>
      ))}
    </section>
  )
}

function useBalances(chain: Chain): readonly string[] {
  const [balances, setBalances] = useState<readonly string[]>([])
  useEffect(() => {
    let current = true
    const { decimals, symbol } = chain.nativeCurrency
    const read = async () => {
      const read = await Promise.all(
        accounts.map((address) =>
          readNode(chain, 'eth_getBalance', [address, 'latest'])
            .then((wei) => `${formatUnits(BigInt(wei), decimals)} ${symbol}`)
            .catch(() => texts.unreachable),
        ),
      )
      if (current) setBalances(read)
    }
    setBalances([])
    void read()
    const timer = setInterval(read, refreshMs)
    return () => {
      current = false
      clearInterval(timer)
    }
  }, [chain])
  return balances
}

function Sites({ origins }: { origins: string[] }) {
  return (
    <section data-testid="sites">
      <h2>{texts.sites}</h2>
      {origins.length === 0 && <p>{texts.noSites}</p>}
      {origins.map((origin) => (
        <div key={origin} className="row" data-testid="site">
          <span>{origin}</span>
          <button
            type="button"
            data-testid="disconnect"
            aria-label={`${texts.disconnect} ${origin}`}
            onClick={() => {
              disconnectSite(origin)
              disconnectSolanaSite(origin)
              disconnectPolkadotSite(origin)
              disconnectBitcoinSite(origin)
            }}
          >
            {texts.disconnect}
          </button>
        </div>
      ))}
    </section>
  )
}

function Requests({ recent }: { recent: Recent[] }) {
  return (
    <section data-testid="recent">
      <h2>{texts.recent}</h2>
      {recent.length === 0 && <p>{texts.noRecent}</p>}
      {recent.map(({ origin, method, outcome, atMs }) => (
        <div key={`${atMs} ${method}`} className="row">
          <span>
            {sanitizeText(method)}
            <small>{sanitizeText(origin)}</small>
          </span>
          <span className="amount">
            {outcome} <small>{new Date(atMs).toLocaleTimeString()}</small>
          </span>
        </div>
      ))}
    </section>
  )
}
