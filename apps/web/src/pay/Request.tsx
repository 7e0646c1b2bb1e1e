import { getCapabilities } from '@latchkey/core'
import {
  ConnectButton,
  RecoveryFirst,
  useAccount,
  useApp,
  useBalances,
  useFeatures,
  useNetwork,
  useProfile,
} from '@latchkey/react'
import { type Balance, readDecimal } from '@latchkey/wire'
import { useId, useState } from 'react'
import { text } from '../locales/text.ts'
import { Choice } from '../parts/Choice.tsx'
import { chooseReceiver } from './chooseReceiver.ts'
import { countDecimals, readAmount, toPayLink } from './parsePayLink.ts'
import { RequestLink } from './RequestLink.tsx'
import { payPath, readReceiver } from './readReceiver.ts'
import { usePayee } from './usePayee.ts'

/** The page that makes a payment link for the connected account. */
export function Request() {
  const { network } = useNetwork()
  const { address } = useAccount()
  const { data: areas } = useFeatures()
  const chainId = network.caipNetworkId
  const { send: canBePaid } = getCapabilities(useApp(), { chainId, areas })
  return (
    <div className="viewPage" data-form={true}>
      <h1>{text('request.title')}</h1>
      <p className="quiet">{text('request.text')}</p>
      {address === undefined ? (
        <ConnectButton />
      ) : canBePaid ? (
        // A token and its amount belong to one network.
        <RecoveryFirst key={chainId}>
          <Form address={address} />
        </RecoveryFirst>
      ) : (
        <p className="notice" role="status">
          {text('request.off', { network: network.name })}
        </p>
      )}
    </div>
  )
}

function Form({ address }: { address: string }) {
  const id = useId()
  const { network } = useNetwork()
  const { name } = useProfile()
  const { data: balances = [] } = useBalances()
  const [key, setKey] = useState(nativeKey)
  const [typed, setTyped] = useState('')
  const { nativeCurrency, caipNetworkId: chainId, chainNamespace: namespace } = network
  const native = { key: nativeKey, address: undefined, ...nativeCurrency }
  const tokens = [native, ...balances.flatMap(toToken)]
  const token = tokens.find((one) => one.key === key) ?? native
  const read = readTyped(typed, token)
  // A link has no place for some names.
  const named = name ? readReceiver(`${payPath}${encodeURIComponent(name)}`) : undefined
  const receiver = named ?? { to: address, isName: false }
  const { payee } = usePayee({ ...receiver, network })
  const to = chooseReceiver({ name: receiver.to, payee, namespace, address })
  const asset = { chainId, address: token.address }
  return (
    <>
      <section className="card requestForm">
        <div className="field">
          <span aria-hidden="true">{text('request.token', { network: network.name })}</span>
          <Choice
            label={text('request.token', { network: network.name })}
            look="field"
            value={token.key}
            options={tokens.map((one) => ({
              value: one.key,
              label: `${one.symbol} · ${one.name}`,
            }))}
            onChange={setKey}
          />
        </div>
        <label className="field">
          <span>{text('request.amount')}</span>
          <input
            inputMode="decimal"
            autoComplete="off"
            placeholder={text('request.any')}
            value={typed}
            aria-invalid={'problem' in read || undefined}
            aria-describedby={id}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <p id={id} className="problem small" role="alert">
          {'problem' in read && read.problem}
        </p>
      </section>
      {'problem' in read ? null : (
        <RequestLink
          to={to}
          address={address}
          link={toPayLink({ origin: location.origin, to, amount: read.amount, asset })}
        />
      )}
    </>
  )
}

const nativeKey = 'native'

type Token = {
  key: string
  /** The contract or mint; undefined for the native currency. */
  address: string | undefined
  symbol: string
  name: string
  decimals: number
}

/** A held token; nothing for the native currency. */
function toToken({ address: id, symbol, name, quantity }: Balance): Token[] {
  if (id === undefined) return []
  const address = id.split(':').at(-1)
  return [{ key: id, address, symbol, name, decimals: Number(quantity.decimals) }]
}

/** The typed amount, undefined if the payer chooses it; or why it cannot be in a link. */
function readTyped(
  typed: string,
  { symbol, decimals }: Token,
): { amount: string | undefined } | { problem: string } {
  if (typed.trim() === '') return { amount: undefined }
  const read = readDecimal(typed, { locales: navigator.languages, symbol })
  if (read && 'readings' in read) {
    const [one, other] = read.readings
    return { problem: text('request.ambiguous', { one, other }) }
  }
  const amount = read && readAmount(read.amount)
  if (amount === undefined) return { problem: text('request.badAmount') }
  if (countDecimals(amount) > decimals)
    return { problem: text('request.tooPrecise', { symbol, count: decimals }) }
  return { amount }
}
