import * as coreNetworks from '@latchkey/core/networks'
import { expect, test } from 'vitest'
import * as react from './index.ts'
import index from './index.ts?raw'
import * as networks from './networks.ts'
import * as viem from './viem.ts'
import viemIndex from './viem.ts?raw'

test('default: what an app can import', () => {
  expect(Object.keys(react).sort()).toMatchInlineSnapshot(`
    [
      "ActivityList",
      "ConnectButton",
      "LatchkeyProvider",
      "NetworkButton",
      "NftList",
      "PageView",
      "PortfolioHistory",
      "ProviderMarks",
      "QrCode",
      "RecoveryFirst",
      "RecoveryNotice",
      "defineNetwork",
      "findAccount",
      "formatAddress",
      "formatAmount",
      "formatDollars",
      "formatQuantity",
      "fromViemChain",
      "getLatestActivity",
      "getOldAllowances",
      "getTransferAmounts",
      "isAddress",
      "isLatchkeyError",
      "listFollowedAccounts",
      "networkImageUrl",
      "sumDollars",
      "truncateAddress",
      "useAccount",
      "useActivity",
      "useApp",
      "useAskRecovery",
      "useBalances",
      "useCallsStatus",
      "useCapabilities",
      "useConnect",
      "useConnections",
      "useContacts",
      "useCount",
      "useDisconnect",
      "useFaucet",
      "useFeatures",
      "useGrantPermissions",
      "useModal",
      "useNetwork",
      "useNfts",
      "useOnline",
      "usePortfolio",
      "usePortfolios",
      "useProfile",
      "useProvider",
      "useRemoteWallet",
      "useRequest",
      "useRevokePermissions",
      "useSend",
      "useSendCalls",
      "useSession",
      "useShowCallsStatus",
      "useSignMessage",
      "useSignTypedData",
      "useSwitchConnection",
      "useSwitchNetwork",
      "useTheme",
      "useToast",
      "useToken",
      "useValueHistory",
      "useWallets",
    ]
  `)
  expect(Object.keys(viem).sort()).toMatchInlineSnapshot(`
    [
      "toViemChain",
      "usePublicClient",
      "useWalletClient",
    ]
  `)
})

test('default: the types that an app can import', () => {
  expect(typeNames(index)).toMatchInlineSnapshot(`
    [
      "Account",
      "AccountPortfolio",
      "App",
      "Balance",
      "Batch",
      "BatchCall",
      "BatchCapabilities",
      "CaipAddress",
      "ChainId",
      "Config",
      "ConnectButtonState",
      "Connection",
      "ConnectorInfo",
      "Contact",
      "ContactLookalike",
      "ContactsImport",
      "DataOptions",
      "Eip1193Provider",
      "FollowedAccount",
      "LatchkeyError",
      "Message",
      "MessageKey",
      "Messages",
      "Namespace",
      "Network",
      "NftRef",
      "OldAllowance",
      "PageViewName",
      "QueryControl",
      "Register",
      "RegisteredChainId",
      "RegisteredNetworks",
      "SavedContact",
      "SendToken",
      "SiweConfig",
      "Siwx",
      "SiwxConfig",
      "SiwxSession",
      "ThemeMode",
      "ValuedAccount",
      "View",
      "WalletConnection",
      "WalletOption",
    ]
  `)
  expect(typeNames(viemIndex)).toMatchInlineSnapshot(`[]`)
})

test('default: exports the networks of core, and how to make others', () => {
  expect(Object.keys(networks).sort()).toEqual(
    [...Object.keys(coreNetworks), 'defineConfig', 'defineNetwork', 'fromViemChain'].sort(),
  )
})

test('behavior: every name is exported on purpose', () => {
  expect(index).not.toContain('export *')
})

/** Types leave no trace in JavaScript, so their names come from the source of an entry. */
const typeNames = (source: string): string[] =>
  [...source.matchAll(/export (type )?\{([^}]*)\}/g)]
    .flatMap(([, isTypes, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && (isTypes || name.startsWith('type '))),
    )
    .map((name) => name.replace('type ', ''))
    .sort()
