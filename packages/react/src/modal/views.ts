import type { State, View, ViewName } from '@latchkey/core'
import { type DirectoryWallet, providerNames } from '@latchkey/wire'
import type { ComponentType } from 'react'
import type { PlainKey, T } from '../locales/createT.ts'
import type { en } from '../locales/en.ts'
import { Connect } from '../views/connect/Connect.tsx'
import type { ViewProps } from '../views/viewProps.ts'

type Entry<Name extends ViewName> = {
  /** The key of a message, or a function that returns the title. */
  title: PlainKey<typeof en> | ((parameters: TitleParameters<Name>) => string)
  /**
   * The button at the start of the header: by default a way back if there is a view below; or none,
   * or help.
   */
  start?: 'none' | 'help'
  /** The view's component, or how to load a file that exports it under the view's name. */
  view: ComponentType<ViewProps<Name>> | { load: () => Promise<ViewFile<Name>> }
}

export type TitleParameters<Name extends ViewName> = {
  t: T<typeof en>
  view: Extract<View, { name: Name }>
  state: State
  /** The directory's wallet that the view is about, once known. */
  wallet: DirectoryWallet | undefined
}

type ViewFile<Name extends ViewName> = { readonly [Key in Name]: ComponentType<ViewProps<Key>> }

const signIn = {
  title: 'siwx.title',
  start: 'none',
  view: { load: () => import('../views/siwx/SignIn.tsx') },
} as const

const loadEmailOtp = () => import('../views/login/UpdateEmailOtp.tsx')

/** Both ends of a name that is longer than a line of the header. */
const shortenName = (name: string) =>
  name.length > 26 ? `${name.slice(0, 12)}…${name.slice(-13)}` : name

/** The component of each view. All but the first load on demand, each in a separate chunk. */
export const views: { readonly [Name in ViewName]: Entry<Name> } = {
  Connect: {
    title: ({ t, state }) => {
      const hasLogin = state.connectors.some(({ traits }) => traits?.hasLogin)
      return t(hasLogin ? 'connect.loginTitle' : 'connect.title')
    },
    start: 'help',
    view: Connect,
  },
  AllWallets: {
    title: 'allWallets.title',
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
    title: 'pairing.title',
    view: { load: () => import('../views/pairing/ConnectingWalletConnectBasic.tsx') },
  },
  EmailVerifyDevice: {
    title: 'device.title',
    view: { load: () => import('../views/login/EmailVerifyDevice.tsx') },
  },
  EmailVerifyOtp: {
    title: 'code.title',
    view: { load: () => import('../views/login/EmailVerifyOtp.tsx') },
  },
  ConnectingFarcaster: {
    title: () => providerNames.farcaster,
    view: { load: () => import('../views/login/ConnectingFarcaster.tsx') },
  },
  ConnectSocials: {
    title: 'connect.loginTitle',
    view: { load: () => import('../views/login/ConnectSocials.tsx') },
  },
  ConnectingSocial: {
    title: ({ view }) => providerNames[view.provider],
    view: { load: () => import('../views/login/ConnectingSocial.tsx') },
  },
  ApproveTransaction: {
    title: 'approve.title',
    // A request that waits here is answered or closed, never left open behind another view.
    start: 'none',
    view: { load: () => import('../views/login/ApproveTransaction.tsx') },
  },
  AccountSettings: {
    title: 'settings.title',
    view: { load: () => import('../views/login/AccountSettings.tsx') },
  },
  ConnectedWallets: {
    title: 'account.wallets',
    view: { load: () => import('../views/wallets/ConnectedWallets.tsx') },
  },
  UpdateEmail: {
    title: ({ t, state }) =>
      t(state.user?.email === undefined ? 'updateEmail.addTitle' : 'updateEmail.title'),
    view: { load: () => import('../views/login/UpdateEmail.tsx') },
  },
  UpdateEmailPrimaryOtp: {
    title: 'updateEmail.presentTitle',
    view: { load: loadEmailOtp },
  },
  UpdateEmailSecondaryOtp: {
    title: 'updateEmail.newTitle',
    view: { load: loadEmailOtp },
  },
  Account: {
    title: 'account.title',
    view: { load: () => import('../views/account/Account.tsx') },
  },
  Transactions: {
    title: 'account.activity',
    view: { load: () => import('../views/account/ActivityList.tsx') },
  },
  ActivityDetail: {
    title: 'account.transaction',
    view: { load: () => import('../views/activity/ActivityDetail.tsx') },
  },
  Networks: {
    title: 'networks.title',
    view: { load: () => import('../views/network/Networks.tsx') },
  },
  SwitchNetwork: {
    title: ({ t, view, state }) =>
      state.networks.find((network) => network.caipNetworkId === view.chainId)?.name ??
      t('switch.title'),
    view: { load: () => import('../views/network/SwitchNetwork.tsx') },
  },
  UnsupportedChain: {
    title: 'unsupported.title',
    view: { load: () => import('../views/network/UnsupportedChain.tsx') },
  },
  SIWXSignMessage: signIn,
  ConnectingSiwe: signIn,
  SignIns: {
    title: 'siwx.signIns',
    view: { load: () => import('../views/siwx/SignIns.tsx') },
  },
  Send: {
    title: 'send.title',
    view: { load: () => import('../views/send/Send.tsx') },
  },
  SendSelectToken: {
    title: 'selectToken.title',
    view: { load: () => import('../views/send/SendSelectToken.tsx') },
  },
  SendPreview: {
    title: 'preview.title',
    view: { load: () => import('../views/send/SendPreview.tsx') },
  },
  SendConfirmed: {
    title: 'confirmed.title',
    view: { load: () => import('../views/send/SendConfirmed.tsx') },
  },
  Swap: {
    title: 'account.swap',
    view: { load: () => import('../views/swap/Swap.tsx') },
  },
  SwapSelectToken: {
    title: 'selectToken.title',
    view: { load: () => import('../views/swap/SwapSelectToken.tsx') },
  },
  SwapPreview: {
    title: 'preview.title',
    view: { load: () => import('../views/swap/SwapPreview.tsx') },
  },
  SwapConfirmed: {
    title: 'account.swap',
    view: { load: () => import('../views/swap/SwapConfirmed.tsx') },
  },
  CallsStatus: {
    title: 'confirmed.title',
    view: { load: () => import('../views/send/CallsStatus.tsx') },
  },
  TokenDetail: {
    title: 'account.token',
    view: { load: () => import('../views/token/TokenDetail.tsx') },
  },
  NftDetail: {
    title: 'account.nft',
    view: { load: () => import('../views/nfts/NftDetail.tsx') },
  },
  SendNft: {
    title: 'send.title',
    view: { load: () => import('../views/nfts/SendNft.tsx') },
  },
  SendNftPreview: {
    title: 'preview.title',
    view: { load: () => import('../views/nfts/SendNftPreview.tsx') },
  },
  ReviewTransaction: {
    title: 'preview.title',
    view: { load: () => import('../views/review/ReviewTransaction.tsx') },
  },
  Receive: {
    title: 'receive.title',
    view: { load: () => import('../views/account/Receive.tsx') },
  },
  Buy: {
    title: 'account.buy',
    view: { load: () => import('../views/buy/Buy.tsx') },
  },
  OnRampProviders: {
    title: 'buy.chooseProvider',
    view: { load: () => import('../views/buy/OnRampProviders.tsx') },
  },
  OnRampTokenSelect: {
    title: 'selectToken.title',
    view: { load: () => import('../views/buy/OnRampTokenSelect.tsx') },
  },
  OnRampFiatSelect: {
    title: 'buy.chooseCurrency',
    view: { load: () => import('../views/buy/OnRampFiatSelect.tsx') },
  },
  BuyInProgress: {
    title: 'account.buy',
    view: { load: () => import('../views/buy/BuyInProgress.tsx') },
  },
  Allowances: {
    title: 'account.allowances',
    view: { load: () => import('../views/allowances/Allowances.tsx') },
  },
  SmartSessionList: {
    title: 'account.sessions',
    view: { load: () => import('../views/sessions/SmartSessionList.tsx') },
  },
  Names: {
    title: 'account.names',
    view: { load: () => import('../views/names/Names.tsx') },
  },
  NameDetail: {
    title: ({ view }) => shortenName(view.accountName),
    view: { load: () => import('../views/names/NameDetail.tsx') },
  },
  RegisterAccountName: {
    title: 'account.names',
    view: { load: () => import('../views/names/RegisterAccountName.tsx') },
  },
  RegisterAccountNameSuccess: {
    title: 'account.names',
    view: { load: () => import('../views/names/RegisterAccountNameSuccess.tsx') },
  },
  WhatIsAWallet: {
    title: 'whatWallet.title',
    view: { load: () => import('../views/connect/WhatIsAWallet.tsx') },
  },
  WhatIsANetwork: {
    title: 'whatNetwork.title',
    view: { load: () => import('../views/network/WhatIsANetwork.tsx') },
  },
  GetAWallet: {
    title: 'getWallet.title',
    view: { load: () => import('../views/connect/GetAWallet.tsx') },
  },
  Downloads: {
    title: 'downloads.titleUnknown',
    view: { load: () => import('../views/connect/Downloads.tsx') },
  },
}
