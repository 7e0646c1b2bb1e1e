import { useNetwork, useSwitchNetwork } from '@latchkey/react'
import { useState } from 'react'
import { text } from '../locales/text.ts'
import { Field, Section } from './Section.tsx'
import { useCall } from './useCall.ts'

/** Requests that the wallet switches to another network. */
export function SwitchNetwork() {
  const { network, networks } = useNetwork()
  const { switchNetworkAsync } = useSwitchNetwork()
  const [chosen, setChosen] = useState<string>()
  const other = networks.find(({ caipNetworkId }) => caipNetworkId !== network.caipNetworkId)
  const target = networks.find(({ caipNetworkId }) => caipNetworkId === chosen) ?? other ?? network
  const { call, start } = useCall<string>(text('dev.waiting'))
  return (
    <Section
      title={text('dev.network')}
      detail={text('dev.networkText')}
      submit={text('dev.switch')}
      call={call}
      onSubmit={() =>
        start(async () => {
          await switchNetworkAsync({ chainId: target.caipNetworkId })
          return target.name
        })
      }
      show={(name) => (
        <p className="verdict" data-valid="true">
          {text('dev.switched', { network: name })}
        </p>
      )}
    >
      <Field label={text('dev.networkField')}>
        <select value={target.caipNetworkId} onChange={(event) => setChosen(event.target.value)}>
          {networks.map(({ caipNetworkId, name }) => (
            <option key={caipNetworkId} value={caipNetworkId}>
              {name}
            </option>
          ))}
        </select>
      </Field>
    </Section>
  )
}
