import { expect, test } from 'vitest'
import * as react from './index.ts'
import index from './index.ts?raw'
import * as viem from './viem.ts'

test('default: what an app can import', () => {
  expect(Object.keys(react).sort()).toMatchInlineSnapshot(`
    [
      "ActivityList",
      "ConnectButton",
      "LatchkeyProvider",
      "NetworkButton",
      "NftList",
      "defineNetwork",
      "fromViemChain",
      "isError",
      "useAccount",
      "useActivity",
      "useApp",
      "useBalances",
      "useConnect",
      "useDisconnect",
      "useFeatures",
      "useModal",
      "useNetwork",
      "useProvider",
      "useRemoteWallet",
      "useRequest",
      "useSend",
      "useSignMessage",
      "useSignTypedData",
      "useSwitchNetwork",
      "useTheme",
      "useToast",
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

test('behavior: every name is exported on purpose', () => {
  expect(index).not.toContain('export *')
})
