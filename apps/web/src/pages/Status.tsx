import type { Network } from '@latchkey/core'
import { networkImageUrl, useApp, useNetwork } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Logo } from '../parts/Logo.tsx'
import { apiEveryMs, canProbe, probeApi, probeBlock } from './probe.ts'
import { type Probe, useProbe } from './useProbe.ts'

/** How often each network is polled. */
const networkEveryMs = 6_000

/** The status of the server and of the networks that it serves. */
export function Status() {
  const app = useApp()
  const { networks } = useNetwork()
  const api = useProbe((signal) => probeApi(app, { signal }), apiEveryMs)
  return (
    <section className="card status">
      <h1>{text('status.title')}</h1>
      <h2>{text('status.networks')}</h2>
      <ul>
        {networks.filter(canProbe).map((network) => (
          <NetworkRow key={network.caipNetworkId} network={network} api={api} />
        ))}
      </ul>
      <h2>{text('status.server')}</h2>
      <Server networks={networks} api={api} />
    </section>
  )
}

type ApiProbe = Probe<Awaited<ReturnType<typeof probeApi>>>

/** Polls a network for its newest block if the server reports that it has a node for it. */
function NetworkRow({ network, api }: { network: Network; api: ApiProbe }) {
  const app = useApp()
  return (
    <li className="statusRow">
      <Logo src={networkImageUrl(app, network)} name={network.name} />
      <span className="name">{network.name}</span>
      {api.status !== 'live' ? (
        <State probe={api} />
      ) : api.value.served.includes(network.caipNetworkId) ? (
        <Block network={network} />
      ) : (
        <span className="state">{text('status.unserved')}</span>
      )}
    </li>
  )
}

function Block({ network }: { network: Network }) {
  const app = useApp()
  const probe = useProbe((signal) => probeBlock(app, { network, signal }), networkEveryMs)
  return (
    <State probe={probe} formatValue={(block) => text('status.block', { number: Number(block) })} />
  )
}

function State<Value>({
  probe,
  formatValue,
}: {
  probe: Probe<Value>
  formatValue?: (value: Value) => string
}) {
  const { status } = probe
  return (
    <span className="state" data-state={status}>
      {status === 'checking' && <span>{text('status.checking')}</span>}
      {status === 'unreachable' && <span>{text('status.unreachable')}</span>}
      {status === 'live' && <span translate="no">{formatValue?.(probe.value)}</span>}
    </span>
  )
}

function Server({ networks, api }: { networks: readonly Network[]; api: ApiProbe }) {
  return (
    <ul>
      <li className="statusRow">
        <span className="name">{text('status.api')}</span>
        <State
          probe={api}
          formatValue={({ ms }) => text('status.apiReady', { ms: Math.round(ms) })}
        />
      </li>
      <li className="statusRow">
        <span className="name">{describeNetworks(networks)}</span>
      </li>
    </ul>
  )
}

const isLocal = ({ caipNetworkId }: Network) => /^eip155:3133[78]$/.test(caipNetworkId)

function describeNetworks(networks: readonly Network[]): string {
  if (networks.every(isLocal)) return text('status.local')
  if (networks.every(({ testnet }) => testnet)) return text('status.testnets')
  return networks.some(({ testnet }) => testnet) ? text('status.mixed') : text('status.real')
}
