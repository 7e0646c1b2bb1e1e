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
  /** The view's component, or how to load it. */
  view: ComponentType<ViewProps<Name>> | { load: () => Promise<ComponentType<ViewProps<Name>>> }
}

/** How each view is drawn. Each but the first is a chunk of its own. */
export const views: { readonly [Name in ViewName]: Entry<Name> } = {
  Connect: { title: ({ t }) => t('connect.title'), start: 'help', view: Connect },
  AllWallets: {
    title: ({ t }) => t('allWallets.title'),
    view: { load: () => import('../views/connect/AllWallets.tsx').then((file) => file.AllWallets) },
  },
  ConnectNamespaces: {
    title: ({ t, view, state }) =>
      state.connectors.find(({ id }) => view.connectorIds.includes(id))?.name ?? t('connect.title'),
    view: {
      load: () =>
        import('../views/connect/ConnectNamespaces.tsx').then((file) => file.ConnectNamespaces),
    },
  },
  ConnectingExternal: {
    title: ({ t, view, state }) =>
      state.connectors.find(({ id }) => id === view.connectorId)?.name ?? t('connect.title'),
    view: {
      load: () => import('../views/connect/AskWallet.tsx').then((file) => file.ConnectingExternal),
    },
  },
  ConnectingWalletConnect: {
    title: ({ t, view, state, wallet }) =>
      (wallet ?? state.recentWallets.find(({ walletId }) => walletId === view.walletId))?.name ??
      t('pairing.title'),
    view: {
      load: () =>
        import('../views/pairing/ConnectingWalletConnect.tsx').then(
          (file) => file.ConnectingWalletConnect,
        ),
    },
  },
  ConnectingWalletConnectBasic: {
    title: ({ t }) => t('pairing.title'),
    view: {
      load: () =>
        import('../views/pairing/ConnectingWalletConnectBasic.tsx').then(
          (file) => file.ConnectingWalletConnectBasic,
        ),
    },
  },
  EmailVerifyDevice: {
    title: ({ t }) => t('device.title'),
    view: {
      load: () =>
        import('../views/login/EmailVerifyDevice.tsx').then((file) => file.EmailVerifyDevice),
    },
  },
  EmailVerifyOtp: {
    title: ({ t }) => t('code.title'),
    view: {
      load: () => import('../views/login/EmailVerifyOtp.tsx').then((file) => file.EmailVerifyOtp),
    },
  },
  ConnectingFarcaster: {
    title: () => 'Farcaster',
    view: {
      load: () =>
        import('../views/login/ConnectingFarcaster.tsx').then((file) => file.ConnectingFarcaster),
    },
  },
  ConnectSocials: {
    title: ({ t }) => t('connect.title'),
    view: {
      load: () => import('../views/login/ConnectSocials.tsx').then((file) => file.ConnectSocials),
    },
  },
  ConnectingSocial: {
    title: ({ t }) => t('connect.title'),
    view: {
      load: () =>
        import('../views/login/ConnectingSocial.tsx').then((file) => file.ConnectingSocial),
    },
  },
  ApproveTransaction: {
    title: ({ t }) => t('approve.title'),
    // What waits here is answered or closed, never left open behind another view.
    start: 'none',
    view: {
      load: () =>
        import('../views/login/ApproveTransaction.tsx').then((file) => file.ApproveTransaction),
    },
  },
  AccountSettings: {
    title: ({ t }) => t('settings.title'),
    view: {
      load: () => import('../views/login/AccountSettings.tsx').then((file) => file.AccountSettings),
    },
  },
  UpdateEmail: {
    title: ({ t }) => t('updateEmail.title'),
    view: { load: () => import('../views/login/UpdateEmail.tsx').then((file) => file.UpdateEmail) },
  },
  UpdateEmailPrimaryOtp: {
    title: ({ t }) => t('updateEmail.presentTitle'),
    view: {
      load: () =>
        import('../views/login/UpdateEmailOtp.tsx').then((file) => file.UpdateEmailPrimaryOtp),
    },
  },
  UpdateEmailSecondaryOtp: {
    title: ({ t }) => t('updateEmail.newTitle'),
    view: {
      load: () =>
        import('../views/login/UpdateEmailOtp.tsx').then((file) => file.UpdateEmailSecondaryOtp),
    },
  },
  Account: {
    title: ({ t }) => t('account.title'),
    view: { load: () => import('../views/account/Account.tsx').then((file) => file.Account) },
  },
  Transactions: {
    title: ({ t }) => t('account.activity'),
    view: {
      load: () => import('../views/account/ActivityList.tsx').then((file) => file.Transactions),
    },
  },
  Networks: {
    title: ({ t }) => t('networks.title'),
    view: { load: () => import('../views/network/Networks.tsx').then((file) => file.Networks) },
  },
  SwitchNetwork: {
    title: ({ t, view, state }) =>
      state.networks.find((network) => network.caipNetworkId === view.chainId)?.name ??
      t('switch.title'),
    view: {
      load: () => import('../views/network/SwitchNetwork.tsx').then((file) => file.SwitchNetwork),
    },
  },
  UnsupportedChain: {
    title: ({ t }) => t('unsupported.title'),
    view: {
      load: () =>
        import('../views/network/UnsupportedChain.tsx').then((file) => file.UnsupportedChain),
    },
  },
  Send: {
    title: ({ t }) => t('send.title'),
    view: { load: () => import('../views/send/Send.tsx').then((file) => file.Send) },
  },
  SendSelectToken: {
    title: ({ t }) => t('selectToken.title'),
    view: {
      load: () => import('../views/send/SendSelectToken.tsx').then((file) => file.SendSelectToken),
    },
  },
  SendPreview: {
    title: ({ t }) => t('preview.title'),
    view: { load: () => import('../views/send/SendPreview.tsx').then((file) => file.SendPreview) },
  },
  SendConfirmed: {
    title: ({ t }) => t('confirmed.title'),
    view: {
      load: () => import('../views/send/SendConfirmed.tsx').then((file) => file.SendConfirmed),
    },
  },
  NftDetail: {
    title: ({ t }) => t('account.nft'),
    view: { load: () => import('../views/nfts/NftDetail.tsx').then((file) => file.NftDetail) },
  },
  SendNft: {
    title: ({ t }) => t('send.title'),
    view: { load: () => import('../views/nfts/SendNft.tsx').then((file) => file.SendNft) },
  },
  SendNftPreview: {
    title: ({ t }) => t('preview.title'),
    view: {
      load: () => import('../views/nfts/SendNftPreview.tsx').then((file) => file.SendNftPreview),
    },
  },
  ReviewTransaction: {
    title: ({ t }) => t('preview.title'),
    view: {
      load: () =>
        import('../views/review/ReviewTransaction.tsx').then((file) => file.ReviewTransaction),
    },
  },
  Receive: {
    title: ({ t }) => t('receive.title'),
    view: { load: () => import('../views/account/Receive.tsx').then((file) => file.Receive) },
  },
  WhatIsAWallet: {
    title: ({ t }) => t('whatWallet.title'),
    view: {
      load: () => import('../views/connect/WhatIsAWallet.tsx').then((file) => file.WhatIsAWallet),
    },
  },
  WhatIsANetwork: {
    title: ({ t }) => t('whatNetwork.title'),
    view: {
      load: () => import('../views/network/WhatIsANetwork.tsx').then((file) => file.WhatIsANetwork),
    },
  },
  GetAWallet: {
    title: ({ t }) => t('getWallet.title'),
    view: { load: () => import('../views/connect/GetAWallet.tsx').then((file) => file.GetAWallet) },
  },
  Downloads: {
    title: ({ t }) => t('downloads.titleUnknown'),
    view: { load: () => import('../views/connect/Downloads.tsx').then((file) => file.Downloads) },
  },
}
