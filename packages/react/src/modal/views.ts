import type { State, View, ViewName } from '@latchkey/core'
import type { DirectoryWallet } from '@latchkey/wire'
import type { ComponentType } from 'react'
import type { T } from '../locales/createT.ts'
import type { en } from '../locales/en.ts'
import { Connect } from '../views/connect/Connect.tsx'
import type { ViewProps } from '../views/viewProps.ts'

type Entry<Name extends ViewName> = {
  title: (parameters: {
    t: T<typeof en>
    view: Extract<View, { name: Name }>
    state: State
    /** The directory's wallet that the view is about, once known. */
    wallet: DirectoryWallet | undefined
  }) => string
  /** The button at the start of the header: by default a way back if there is a view below; or none, or help. */
  start?: 'none' | 'help'
  /** The view's component, or how to load a file that exports it under the view's name. */
  view: ComponentType<ViewProps<Name>> | { load: () => Promise<ViewFile<Name>> }
}

type ViewFile<Name extends ViewName> = { readonly [Key in Name]: ComponentType<ViewProps<Key>> }

const signIn = {
  title: ({ t }: { t: T<typeof en> }) => t('siwx.title'),
  start: 'none',
  view: { load: () => import('../views/siwx/SignIn.tsx') },
} as const

const loadEmailOtp = () => import('../views/login/UpdateEmailOtp.tsx')

/** Both ends of a name that is longer than a line of the header. */
const shortenName = (name: string) =>
  name.length > 26 ? `${name.slice(0, 12)}…${name.slice(-13)}` : name

/** How each view is drawn. Each but the first loads late, each as a chunk of its own. */
export const views: { readonly [Name in ViewName]: Entry<Name> } = {
  Connect: { title: ({ t }) => t('connect.title'), start: 'help', view: Connect },
  AllWallets: {
    title: ({ t }) => t('allWallets.title'),
    view: { load: () => import('../views/connect/AllWallets.tsx') },
  },
  ConnectNamespaces: {
    title: ({ t, view, state }) =>
      state.connectors.find(({ id }) => view.connectorIds.includes(id))?.name ?? t('connect.title'),
    view: { load: () => import('../views/connect/ConnectNamespaces.tsx') },
  },
  ConnectingExternal: {
    title: ({ t, view, state }) =>
      state.connectors.find(({ id }) => id === view.connectorId)?.name ?? t('connect.title'),
    view: { load: () => import('../views/connect/AskWallet.tsx') },
  },
  ConnectingWalletConnect: {
    title: ({ t, view, state, wallet }) =>
      (wallet ?? state.recentWallets.find(({ walletId }) => walletId === view.walletId))?.name ??
      t('pairing.title'),
    view: { load: () => import('../views/pairing/ConnectingWalletConnect.tsx') },
  },
  ConnectingWalletConnectBasic: {
    title: ({ t }) => t('pairing.title'),
    view: { load: () => import('../views/pairing/ConnectingWalletConnectBasic.tsx') },
  },
  EmailVerifyDevice: {
    title: ({ t }) => t('device.title'),
    view: { load: () => import('../views/login/EmailVerifyDevice.tsx') },
  },
  EmailVerifyOtp: {
    title: ({ t }) => t('code.title'),
    view: { load: () => import('../views/login/EmailVerifyOtp.tsx') },
  },
  ConnectingFarcaster: {
    title: () => 'Farcaster',
    view: { load: () => import('../views/login/ConnectingFarcaster.tsx') },
  },
  ConnectSocials: {
    title: ({ t }) => t('connect.title'),
    view: { load: () => import('../views/login/ConnectSocials.tsx') },
  },
  ConnectingSocial: {
    title: ({ t }) => t('connect.title'),
    view: { load: () => import('../views/login/ConnectingSocial.tsx') },
  },
  ApproveTransaction: {
    title: ({ t }) => t('approve.title'),
    // A request that waits here is answered or closed, never left open behind another view.
    start: 'none',
    view: { load: () => import('../views/login/ApproveTransaction.tsx') },
  },
  AccountSettings: {
    title: ({ t }) => t('settings.title'),
    view: { load: () => import('../views/login/AccountSettings.tsx') },
  },
  UpdateEmail: {
    title: ({ t, state }) =>
      t(state.user?.email === undefined ? 'updateEmail.addTitle' : 'updateEmail.title'),
    view: { load: () => import('../views/login/UpdateEmail.tsx') },
  },
  UpdateEmailPrimaryOtp: {
    title: ({ t }) => t('updateEmail.presentTitle'),
    view: { load: loadEmailOtp },
  },
  UpdateEmailSecondaryOtp: {
    title: ({ t }) => t('updateEmail.newTitle'),
    view: { load: loadEmailOtp },
  },
  Account: {
    title: ({ t }) => t('account.title'),
    view: { load: () => import('../views/account/Account.tsx') },
  },
  Transactions: {
    title: ({ t }) => t('account.activity'),
    view: { load: () => import('../views/account/ActivityList.tsx') },
  },
  Networks: {
    title: ({ t }) => t('networks.title'),
    view: { load: () => import('../views/network/Networks.tsx') },
  },
  SwitchNetwork: {
    title: ({ t, view, state }) =>
      state.networks.find((network) => network.caipNetworkId === view.chainId)?.name ??
      t('switch.title'),
    view: { load: () => import('../views/network/SwitchNetwork.tsx') },
  },
  UnsupportedChain: {
    title: ({ t }) => t('unsupported.title'),
    view: { load: () => import('../views/network/UnsupportedChain.tsx') },
  },
  SIWXSignMessage: signIn,
  ConnectingSiwe: signIn,
  SignIns: {
    title: ({ t }) => t('siwx.signIns'),
    view: { load: () => import('../views/siwx/SignIns.tsx') },
  },
  Send: {
    title: ({ t }) => t('send.title'),
    view: { load: () => import('../views/send/Send.tsx') },
  },
  SendSelectToken: {
    title: ({ t }) => t('selectToken.title'),
    view: { load: () => import('../views/send/SendSelectToken.tsx') },
  },
  SendPreview: {
    title: ({ t }) => t('preview.title'),
    view: { load: () => import('../views/send/SendPreview.tsx') },
  },
  SendConfirmed: {
    title: ({ t }) => t('confirmed.title'),
    view: { load: () => import('../views/send/SendConfirmed.tsx') },
  },
  Swap: {
    title: ({ t }) => t('account.swap'),
    view: { load: () => import('../views/swap/Swap.tsx') },
  },
  SwapSelectToken: {
    title: ({ t }) => t('selectToken.title'),
    view: { load: () => import('../views/swap/SwapSelectToken.tsx') },
  },
  SwapPreview: {
    title: ({ t }) => t('preview.title'),
    view: { load: () => import('../views/swap/SwapPreview.tsx') },
  },
  SwapConfirmed: {
    title: ({ t }) => t('account.swap'),
    view: { load: () => import('../views/swap/SwapConfirmed.tsx') },
  },
  CallsStatus: {
    title: ({ t }) => t('confirmed.title'),
    view: { load: () => import('../views/send/CallsStatus.tsx') },
  },
  TokenDetail: {
    title: ({ t }) => t('account.token'),
    view: { load: () => import('../views/token/TokenDetail.tsx') },
  },
  NftDetail: {
    title: ({ t }) => t('account.nft'),
    view: { load: () => import('../views/nfts/NftDetail.tsx') },
  },
  SendNft: {
    title: ({ t }) => t('send.title'),
    view: { load: () => import('../views/nfts/SendNft.tsx') },
  },
  SendNftPreview: {
    title: ({ t }) => t('preview.title'),
    view: { load: () => import('../views/nfts/SendNftPreview.tsx') },
  },
  ReviewTransaction: {
    title: ({ t }) => t('preview.title'),
    view: { load: () => import('../views/review/ReviewTransaction.tsx') },
  },
  Receive: {
    title: ({ t }) => t('receive.title'),
    view: { load: () => import('../views/account/Receive.tsx') },
  },
  Buy: {
    title: ({ t }) => t('account.buy'),
    view: { load: () => import('../views/buy/Buy.tsx') },
  },
  OnRampProviders: {
    title: ({ t }) => t('buy.chooseProvider'),
    view: { load: () => import('../views/buy/OnRampProviders.tsx') },
  },
  OnRampTokenSelect: {
    title: ({ t }) => t('selectToken.title'),
    view: { load: () => import('../views/buy/OnRampTokenSelect.tsx') },
  },
  OnRampFiatSelect: {
    title: ({ t }) => t('buy.chooseCurrency'),
    view: { load: () => import('../views/buy/OnRampFiatSelect.tsx') },
  },
  BuyInProgress: {
    title: ({ t }) => t('account.buy'),
    view: { load: () => import('../views/buy/BuyInProgress.tsx') },
  },
  Allowances: {
    title: ({ t }) => t('account.allowances'),
    view: { load: () => import('../views/allowances/Allowances.tsx') },
  },
  SmartSessionList: {
    title: ({ t }) => t('account.sessions'),
    view: { load: () => import('../views/sessions/SmartSessionList.tsx') },
  },
  Names: {
    title: ({ t }) => t('account.names'),
    view: { load: () => import('../views/names/Names.tsx') },
  },
  NameDetail: {
    title: ({ view }) => shortenName(view.accountName),
    view: { load: () => import('../views/names/NameDetail.tsx') },
  },
  RegisterAccountName: {
    title: ({ t }) => t('account.names'),
    view: { load: () => import('../views/names/RegisterAccountName.tsx') },
  },
  RegisterAccountNameSuccess: {
    title: ({ t }) => t('account.names'),
    view: { load: () => import('../views/names/RegisterAccountNameSuccess.tsx') },
  },
  WhatIsAWallet: {
    title: ({ t }) => t('whatWallet.title'),
    view: { load: () => import('../views/connect/WhatIsAWallet.tsx') },
  },
  WhatIsANetwork: {
    title: ({ t }) => t('whatNetwork.title'),
    view: { load: () => import('../views/network/WhatIsANetwork.tsx') },
  },
  GetAWallet: {
    title: ({ t }) => t('getWallet.title'),
    view: { load: () => import('../views/connect/GetAWallet.tsx') },
  },
  Downloads: {
    title: ({ t }) => t('downloads.titleUnknown'),
    view: { load: () => import('../views/connect/Downloads.tsx') },
  },
}
