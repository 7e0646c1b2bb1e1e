import { encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { FrameStack } from '../startFrame.ts'

const chainId = '0x7a69'

/** A request of each kind that a user approves, by its method, with long values. */
export function someRequests({ stack }: FrameStack, from: `0x${string}`): Record<string, unknown> {
  const seconds = Math.floor(Date.now() / 1_000)
  const token = stack.addresses['eip155:31337'].usd
  const [, to, spender] = stack.accounts.map((one) => one.address as `0x${string}`)
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [spender ?? '0x', 2n ** 256n - 1n],
  })
  const pay = { to, value: '0x112210f47de98115' }
  const allow = { to: token, data }
  const order = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Order: [
        { name: 'maker', type: 'address' },
        { name: 'amountInSmallestUnits', type: 'uint256' },
        { name: 'note', type: 'string' },
      ],
    },
    primaryType: 'Order',
    domain: { name: 'Exchange', chainId: 31337, verifyingContract: token },
    message: {
      maker: from,
      amountInSmallestUnits: '1234567891234567891234',
      note: 'All or nothing, until 2031',
    },
  }
  const { publicKey } = privateKeyToAccount(generatePrivateKey())
  const allowance = { allowance: '0x112210f47de98115', start: seconds, period: 86_400 }
  const grant = {
    chainId,
    expiry: seconds + 3_600,
    signer: { type: 'keys', data: { keys: [{ type: 'secp256k1', publicKey }] } },
    permissions: [{ type: 'native-token-recurring-allowance', data: allowance }],
    policies: [],
  }
  const batch = { version: '2.0.0', chainId, atomicRequired: false, from, calls: [pay, allow] }
  return {
    personal_sign: [`Pay 1,234,567.891 by ${seconds}. ${'A long message. '.repeat(40)}`, from],
    eth_signTypedData_v4: [from, order],
    eth_sendTransaction: [{ from, ...allow }],
    wallet_sendCalls: [batch],
    wallet_grantPermissions: [grant],
  }
}
