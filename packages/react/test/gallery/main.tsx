import {
  connect,
  openModal,
  pushView,
  setSendDraft,
  showToast,
  type View,
} from '@latchkey/core/internal'
import { latchkeyOne, latchkeyTwo, solana, solanaDevnet } from '@latchkey/core/networks'
import { LatchkeyError } from '@latchkey/wire'
import { createRoot } from 'react-dom/client'
import { ConnectButton, LatchkeyProvider, NetworkButton } from '../../src/index.ts'
import '../../src/theme.css'
import { createFakePairing } from '../fakes/fakePairing.ts'
import { registerSolana } from '../fakes/fakeStandardWallet.ts'
import { hang, refuse } from '../fakes/fakeWallet.ts'
import { announce, bob, createFakeWallet, phonePage, testApp } from '../testApp.ts'
import './gallery.css'

// Shows a single view:
// ?view=Send&theme=light&connected&dir=rtl&answer=hang&phone&remote&solana&wallet=2&relay=ws://127.0.0.1:3000
const search = new URLSearchParams(location.search)
const theme = search.get('theme') === 'light' ? 'light' : 'dark'
const wallet = createFakeWallet()
if (search.get('answer') === 'hang') wallet.answers.eth_requestAccounts = hang
if (search.get('answer') === 'refuse') wallet.answers.eth_requestAccounts = () => refuse()
announce([
  { name: search.get('solana') || 'Fieldwork Wallet', wallet },
  { name: 'Harbour', wallet: createFakeWallet() },
])
if (search.has('solana')) registerSolana(search.get('solana') || 'Fieldwork Wallet')
document.documentElement.dir = search.get('dir') ?? 'ltr'
document.documentElement.dataset.theme = theme

const uri = `wc:${'9b'.repeat(32)}@2?relay-protocol=irn&symKey=${'4e'.repeat(32)}&expiryTimestamp=1795227342&relay-data=${encodeURIComponent('wss://relay.example.org')}`
const pairing = createFakePairing(search.get('answer') === 'hang' ? {} : { firstUri: uri })
const relayUrl = search.get('relay')
const app = testApp(
  {
    modal: {
      themeMode: theme,
      termsUrl: 'https://example.org/terms',
      privacyUrl: 'https://example.org/privacy',
      legalCheckbox: search.has('checkbox'),
    },
    ...(search.has('solana') && { networks: [latchkeyOne, latchkeyTwo, solana, solanaDevnet] }),
    ...(relayUrl && { wallets: { walletConnect: { relayUrl } } }),
  },
  {},
  { ...(relayUrl === null && { pairing }), ...(search.has('phone') && { page: phonePage() }) },
)
createRoot(document.getElementById('root') as HTMLElement).render(
  <LatchkeyProvider app={app}>
    <div className="bar">
      <NetworkButton />
      <ConnectButton />
    </div>
  </LatchkeyProvider>,
)

const first = app.store.getState().connectors.at(search.has('remote') ? 0 : -1)?.id ?? ''
if (search.has('connected')) {
  const connected = connect(app, { connectorId: first })
  if (search.has('remote')) pairing.latest().approve({ wallet: { name: 'Alder Wallet' } })
  await connected
}
if (search.has('solana')) {
  const connectorId = `solana:${search.get('solana') || 'Fieldwork Wallet'}`
  while (!app.connectors.has(connectorId)) await new Promise((resolve) => setTimeout(resolve, 10))
  if (search.has('both')) await connect(app, { connectorId })
}
if (search.has('draft')) setSendDraft(app, { amount: '1.25', receiverAddress: bob })
const name = search.get('view')
if (name) {
  if (search.has('deep')) openModal(app)
  const view = {
    name,
    connectorId: first,
    connectorIds: app.store
      .getState()
      .connectors.filter(({ name }) => name === (search.get('solana') || 'Fieldwork Wallet'))
      .map(({ id }) => id),
    walletId: (search.get('wallet') ?? '0').padStart(64, '0'),
    hash: `0x${'ab'.repeat(32)}`,
  }
  if (search.has('deep')) pushView(app, view as View)
  else openModal(app, { view: view as View })
}
if (search.has('toast')) showToast(app, { message: 'Transaction started', variant: 'success' })
if (search.get('answer') === 'refuse')
  setTimeout(() => pairing.latest().fail(new LatchkeyError('USER_REJECTED')), 1_500)
