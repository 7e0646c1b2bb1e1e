import { useAccount, useNetwork, useRequest } from '@latchkey/react'
import type { Namespace } from '@latchkey/wire'
import { useState } from 'react'
import { text } from '../locales/text.ts'
import { parseParams } from './parseJson.ts'
import { Field, Section, Value } from './Section.tsx'
import { useCall } from './useCall.ts'

/** A request that wallets of each namespace answer without a prompt, or else a harmless request. */
const examples: Readonly<
  Record<Namespace, (address: string) => { method: string; params: object }>
> = {
  eip155: () => ({ method: 'eth_chainId', params: [] }),
  solana: () => ({ method: 'solana_getAccounts', params: {} }),
  bip122: (account) => ({ method: 'getAccountAddresses', params: { account } }),
  polkadot: (address) => ({
    method: 'polkadot_signMessage',
    params: { address, message: text('dev.messageExample') },
  }),
}

/**
 * Sends any request to the connected wallet and shows the response. The example follows the network
 * until the user edits it.
 */
export function RawRequest() {
  const { requestAsync } = useRequest()
  const { address = '' } = useAccount()
  const example = examples[useNetwork().network.chainNamespace](address)
  const [editedMethod, setMethod] = useState<string>()
  const [editedParams, setParams] = useState<string>()
  const method = editedMethod ?? example.method
  const params = editedParams ?? JSON.stringify(example.params, null, 2)
  const { call, start } = useCall<string>(text('dev.waiting'))
  const send = () =>
    start(async () => {
      const answer = await requestAsync({ method: method.trim(), params: parseParams(params) })
      return JSON.stringify(answer, null, 2) ?? 'undefined'
    })
  return (
    <Section
      title={text('dev.raw')}
      detail={text('dev.rawText')}
      submit={text('dev.request')}
      call={call}
      onSubmit={send}
      show={(answer) => <Value name={text('dev.result')} value={answer} />}
    >
      <Field label={text('dev.method')}>
        <input
          className="code"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={method}
          onChange={(event) => setMethod(event.target.value)}
        />
      </Field>
      <Field label={text('dev.params')}>
        <textarea
          className="code"
          dir="ltr"
          rows={4}
          spellCheck={false}
          value={params}
          onChange={(event) => setParams(event.target.value)}
        />
      </Field>
    </Section>
  )
}
