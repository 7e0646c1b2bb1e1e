import { useBalances, useNetwork } from '@latchkey/react'
import { type ReactNode, useState } from 'react'
import { text } from '../locales/text.ts'
import { Field, Section, Value } from './Section.tsx'
import { type Sent, useSending } from './useSending.ts'

/** Sends the network's own currency. */
export function SendNative() {
  const { nativeCurrency } = useNetwork().network
  const { symbol, decimals } = nativeCurrency
  const { call, submit } = useSending()
  const { to, amount, fields } = useFields('0.01')
  return (
    <Section
      title={text('dev.native', { symbol })}
      detail={text('dev.nativeText')}
      submit={text('dev.send')}
      call={call}
      onSubmit={() => submit({ to, amount, token: { symbol, decimals } })}
      show={Outcome}
    >
      {fields}
    </Section>
  )
}

/** Sends a token that the account holds. */
export function SendToken() {
  const { network } = useNetwork()
  const { data: balances } = useBalances()
  const tokens = balances?.filter(({ address }) => address !== undefined) ?? []
  const [chosen, setChosen] = useState<string>()
  const token = tokens.find(({ address }) => address === chosen) ?? tokens[0]
  const { call, submit } = useSending()
  const { to, amount, fields } = useFields('0.01')
  if (balances && tokens.length === 0)
    return (
      <section className="card call">
        <h2>{text('dev.token')}</h2>
        <p className="quiet">{text('dev.noTokens', { network: network.name })}</p>
      </section>
    )
  const send = () => {
    // A balance names its token in CAIP-10; the chain expects only the contract address.
    const address = token?.address?.split(':').at(-1)
    if (!token || !address) return
    const { symbol, quantity } = token
    submit({ to, amount, token: { address, symbol, decimals: Number(quantity.decimals) } })
  }
  return (
    <Section
      title={text('dev.token')}
      detail={text('dev.tokenText')}
      submit={text('dev.send')}
      call={call}
      onSubmit={send}
      show={Outcome}
    >
      <Field label={text('dev.tokenField')}>
        <select value={token?.address ?? ''} onChange={(event) => setChosen(event.target.value)}>
          {tokens.map(({ address, symbol, name }) => (
            <option key={address} value={address}>
              {symbol} · {name}
            </option>
          ))}
        </select>
      </Field>
      {fields}
    </Section>
  )
}

function useFields(first: string): { to: string; amount: string; fields: ReactNode } {
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState(first)
  const network = useNetwork().network.name
  const fields = (
    <>
      <Field label={text('dev.to')}>
        <input
          className="code"
          dir="ltr"
          placeholder={text('dev.toExample', { network })}
          autoComplete="off"
          spellCheck={false}
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </Field>
      <Field label={text('dev.amount')}>
        <input
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
      </Field>
    </>
  )
  return { to, amount, fields }
}

const Outcome = ({ hash, status }: Sent) => (
  <>
    <p className="verdict" data-valid={status === 'success'}>
      {text(outcomes[status])}
    </p>
    <Value name={text('dev.hash')} value={hash} />
  </>
)

const outcomes = {
  success: 'dev.mined',
  reverted: 'dev.reverted',
  cancelled: 'dev.canceled',
  replaced: 'dev.replaced',
  unknown: 'dev.unconfirmed',
} as const
