import type { Network } from '@latchkey/core'
import {
  ConnectButton,
  networkImageUrl,
  useApp,
  useModal,
  useNetwork,
  useWallets,
} from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Logo } from '../parts/Logo.tsx'
import { canProbe, probeApi, probeBlock } from './probe.ts'
import { type Probe, useProbe } from './useProbe.ts'

/** How often each network is polled. */
const NETWORK_EVERY_MS = 6_000
/** How often the API is polled. */
const API_EVERY_MS = 15_000

/** The page before connecting: one sentence, one button, and the status of the services. */
export const Welcome = () => (
  <div className="welcome">
    <section className="hero">
      <h1>{text('welcome.title')}</h1>
      <p>{text('welcome.text')}</p>
      <ConnectButton label={text('welcome.connect')} />
      <p className="quiet small">{text('welcome.promise')}</p>
    </section>
    <Status />
  </div>
)

function Status() {
  const app = useApp()
  const { networks } = useNetwork()
  const api = useProbe((signal) => probeApi(app, { signal }), API_EVERY_MS)
  return (
    <section className="card status" aria-labelledby="status">
      <h2 id="status">{text('status.title')}</h2>
      <h3>{text('status.networks')}</h3>
      <ul>
        {networks.filter(canProbe).map((network) => (
          <NetworkRow key={network.caipNetworkId} network={network} api={api} />
        ))}
      </ul>
      <h3>{text('status.wallets')}</h3>
      <Wallets />
      <h3>{text('status.server')}</h3>
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
  const probe = useProbe((signal) => probeBlock(app, { network, signal }), NETWORK_EVERY_MS)
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

function Wallets() {
  const installed = useWallets().wallets.filter((wallet) => wallet.installed)
  const { open } = useModal()
  if (installed.length === 0)
    return (
      <div className="statusNone">
        <p>
          {text('status.noWallets')}. {text('status.noWalletsText')}
        </p>
        <button type="button" className="button" onClick={() => open({ name: 'GetAWallet' })}>
          {text('status.getWallet')}
        </button>
      </div>
    )
  return (
    <ul aria-live="polite">
      {installed.map(({ id, name, imageUrl }) => (
        <li key={id} className="statusRow">
          <Logo src={imageUrl} name={name} />
          <span className="name">{name}</span>
          <span className="state" data-state="live">
            {text('status.wallet')}
          </span>
        </li>
      ))}
    </ul>
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
