import { connect, openModal, pushView, setSendDraft, showToast, type View } from '@latchkey/core'
import { createRoot } from 'react-dom/client'
import { ConnectButton, NetworkButton, Provider } from '../../src/index.ts'
import '../../src/theme.css'
import { hang, refuse } from '../fakeWallet.ts'
import { announce, bob, createFakeWallet, testApp } from '../testApp.ts'
import './gallery.css'

// Shows one view by itself: ?view=Send&theme=light&connected&dir=rtl&answer=hang
const search = new URLSearchParams(location.search)
const theme = search.get('theme') === 'light' ? 'light' : 'dark'
const wallet = createFakeWallet()
if (search.get('answer') === 'hang') wallet.answers.eth_requestAccounts = hang
if (search.get('answer') === 'refuse') wallet.answers.eth_requestAccounts = () => refuse()
announce([
  { name: 'Fieldwork Wallet', wallet },
  { name: 'Harbour', wallet: createFakeWallet() },
])
document.documentElement.dir = search.get('dir') ?? 'ltr'
document.documentElement.dataset.theme = theme

const app = testApp({
  themeMode: theme,
  termsConditionsUrl: 'https://example.org/terms',
  privacyPolicyUrl: 'https://example.org/privacy',
  features: { legalCheckbox: search.has('checkbox') },
})
createRoot(document.getElementById('root') as HTMLElement).render(
  <Provider app={app}>
    <div className="bar">
      <NetworkButton />
      <ConnectButton />
    </div>
  </Provider>,
)

const first = app.store.getState().connectors[0]?.id ?? ''
if (search.has('connected')) await connect(app, { connectorId: first })
if (search.has('draft')) setSendDraft(app, { amount: '1.25', receiverAddress: bob })
const name = search.get('view')
if (name) {
  if (search.has('deep')) openModal(app)
  const view = { name, connectorId: first, walletId: '0'.repeat(64), hash: `0x${'ab'.repeat(32)}` }
  if (search.has('deep')) pushView(app, view as View)
  else openModal(app, { view: view as View })
}
if (search.has('toast')) showToast(app, { message: 'Transaction started', variant: 'success' })
