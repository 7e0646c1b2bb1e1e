import type {
  App,
  Config,
  Connected,
  SignatureReview,
  SwappedAmounts,
  User,
  View,
  ViewName,
  WalletRequest,
} from '@latchkey/core/internal'
import { alice, bob } from '../testApp.ts'
import type { Filling } from './fillings.ts'
import {
  dollars,
  getSampleTransaction,
  sampleName,
  sampleNft,
  sampleSignIn,
} from './sampleServer.ts'

/** A view of the modal to draw. */
export type Sample = {
  /** The name of the view, and its tab if it has one. */
  label: string
  view: View
} & SampleSetup

/** The app around a view, in addition to the data of `createSampleServer`. */
type SampleSetup = {
  config?: Partial<Config>
  /** Called before the account is connected. */
  prepare?: (app: App) => void
  /** The view shows only that it waits for something else, for example for the frame. */
  neverLoads?: true
}

/** Every view of the modal, filled with data. */
export const getSamples = (filling: Filling): readonly Sample[] =>
  Object.entries<readonly object[]>(getParameters(filling)).flatMap(([name, list]) =>
    list.map((parameters) => {
      const view = { name, ...parameters } as View
      const label = view.name === 'Account' && view.tab ? `Account, ${view.tab}` : name
      return { label, view, ...setups[view.name] }
    }),
  )

/** Directory id of the first wallet. */
const alder = '0'.padStart(64, '0')
/** Directory id of a wallet that can be reached by every way. */
const cedar = '2'.padStart(64, '0')
const hash = `0x${'12'.repeat(32)}`
const chainId = sampleNft.chainId

/** A request that the wallet never answers. */
const request: WalletRequest = {
  answer: new Promise(() => {}),
  signal: new AbortController().signal,
  leave: () => {},
}

/** The parameters of each view, for each of its samples. */
type ViewParameters = {
  readonly [Name in ViewName]: readonly Omit<Extract<View, { name: Name }>, 'name'>[]
}

const getParameters = (filling: Filling): ViewParameters => ({
  Connect: [{}],
  AllWallets: [{}],
  ConnectNamespaces: [{ connectorIds: ['test.fieldwork'] }],
  ConnectingExternal: [{ connectorId: 'test.fieldwork', request }],
  ConnectingWalletConnect: [{ walletId: cedar }],
  ConnectingWalletConnectBasic: [{}],
  EmailVerifyDevice: [{}],
  EmailVerifyOtp: [{}],
  ConnectSocials: [{}],
  ConnectingSocial: [{ provider: 'google', isClosed: () => false, request }],
  ConnectingFarcaster: [{}],
  ApproveTransaction: [{}],
  AccountSettings: [{}],
  ConnectedWallets: [{}],
  UpdateEmail: [{}],
  UpdateEmailPrimaryOtp: [{}],
  UpdateEmailSecondaryOtp: [{}],
  Account: [{}, { tab: 'nfts' }, { tab: 'activity' }],
  Transactions: [{}],
  ActivityDetail: [{ transaction: getSampleTransaction(filling) }],
  Networks: [{}],
  SwitchNetwork: [{ chainId: 'eip155:31338', request }],
  UnsupportedChain: [{}],
  SIWXSignMessage: [{ isRequired: true }],
  ConnectingSiwe: [{ isRequired: true }],
  SignIns: [{}],
  Send: [{}],
  SendSelectToken: [{}],
  SendPreview: [{}],
  SendConfirmed: [{ hash, sent: { asset: { amount: filling.amount, name: 'ETH' }, to: bob } }],
  Swap: [{}],
  SwapSelectToken: [{ side: 'to' }],
  SwapPreview: [{}],
  SwapConfirmed: [{ hash, swapped: getSwapped(filling) }],
  CallsStatus: [{ id: hash, namespace: 'eip155', swapped: getSwapped(filling) }],
  TokenDetail: [{ token: { chainId } }],
  NftDetail: [{ nft: sampleNft }],
  SendNft: [{ nft: sampleNft }],
  SendNftPreview: [{ nft: sampleNft, amount: '2', receiver: { address: bob, name: 'bob.eth' } }],
  ReviewTransaction: [{ reading: Promise.resolve(getReview(filling)), approve: () => {} }],
  Receive: [{}],
  Buy: [{}],
  OnRampProviders: [{}],
  OnRampTokenSelect: [{}],
  OnRampFiatSelect: [{}],
  BuyInProgress: [{ orderId: 'a'.repeat(24) }],
  Allowances: [{}],
  SmartSessionList: [{}],
  Names: [{}],
  NameDetail: [{ accountName: sampleName }],
  RegisterAccountName: [{}],
  RegisterAccountNameSuccess: [{ accountName: sampleName }],
  WhatIsAWallet: [{}],
  WhatIsANetwork: [{}],
  GetAWallet: [{}],
  Downloads: [{ walletId: alder }],
})

const getSwapped = ({ amount, quantity, word }: Filling): SwappedAmounts => ({
  paid: { value: amount, unit: 'ETH' },
  received: { value: `≈ ${quantity}`, unit: word },
})

const getReview = ({ amount }: Filling): SignatureReview => ({
  ...{ chainId, address: alice, kind: 'transaction', to: dollars },
  ...{ valueWei: 0n, maxFeeWei: 123_456_789_012_345n },
  ...{ nonce: undefined, accessList: [], data: `0xa9059cbb${'12'.repeat(64)}` },
  call: {
    name: 'transfer',
    rows: [
      { name: 'to', value: bob },
      { name: 'amount', value: amount },
    ],
    ...{ isUnlimited: false, changesRights: false, sent: BigInt(amount.replace('.', '')) },
  },
})

const user: User = { email: 'ada@mail.example', username: 'ada', socialProvider: 'google' }
const login = { email: 'ada@a-rather-long-host.example', matchCode: '42', resendAtMs: 0 }

/** Logins, with codes that are typed into the page. */
const config: Partial<Config> = {
  frameUrl: 'https://frame.example',
  login: { otpSurface: 'host' },
}
const loggingIn: SampleSetup = { config, prepare: ({ store }) => store.setState({ login }) }
const loggedIn: SampleSetup = { config, prepare: ({ store }) => store.setState({ user, login }) }

/** Another connected wallet, with several accounts. */
const further: Connected = {
  ...{ status: 'connected', connectorId: 'walletConnect', wallet: { name: 'Orchard' }, chainId },
  caipAddress: `${chainId}:${bob}`,
  account: { namespace: 'eip155', address: bob, type: 'eoa' },
  accounts: [
    { namespace: 'eip155', address: bob, type: 'eoa' },
    { namespace: 'eip155', address: sampleNft.contract, type: 'eoa' },
  ],
}

/** Adds a Solana side to the wallet of the account, which is not connected there. */
const addSolana = ({ store }: App) =>
  store.setState(({ connectors }) => ({
    connectors: [
      ...connectors,
      { id: 'solana:Fieldwork', kind: 'injected', name: 'Fieldwork', namespaces: ['solana'] },
    ],
  }))

const setups: { readonly [Name in ViewName]?: SampleSetup } = {
  Connect: { config },
  ConnectNamespaces: { prepare: addSolana },
  EmailVerifyDevice: loggingIn,
  EmailVerifyOtp: loggingIn,
  ConnectSocials: { config },
  ConnectingSocial: { config },
  ConnectingFarcaster: { config },
  // The secure frame covers it.
  ApproveTransaction: { neverLoads: true },
  AccountSettings: loggedIn,
  ConnectedWallets: {
    prepare: (app) => {
      app.store.setState({ furtherConnections: [further] })
      addSolana(app)
    },
  },
  UpdateEmail: loggedIn,
  UpdateEmailPrimaryOtp: loggedIn,
  UpdateEmailSecondaryOtp: loggedIn,
  SignIns: {
    config: { signIn: { required: false } },
    prepare: ({ storage }) => {
      const { expiresAt } = sampleSignIn
      storage.set('siwxSessions', [{ data: sampleSignIn, token: 'token', expiresAt }])
    },
  },
}
