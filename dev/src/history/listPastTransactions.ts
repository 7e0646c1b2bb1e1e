import {
  type Address,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
} from 'viem'
import type { DevAccount } from '../chains/accounts.ts'
import type { DevChainId } from '../chains/definitions.ts'
import type { Addresses } from '../contracts/plan.ts'
import { devTokens } from '../contracts/tokens.ts'

/** A transaction from an account whose key the local node has, and how long ago it was mined. */
export type PastTransaction = {
  readonly daysAgo: number
  readonly from: Address
  readonly to: Address
  readonly value?: bigint
  readonly data?: Hex
}

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function approve(address spender, uint256 amount)',
  'function mint(address[] to)',
  'function deposit() payable',
  'function swapExactETHForTokens(uint256 least, address[], address to, uint256 end) payable',
  'function swapExactTokensForTokens(uint256, uint256 least, address[], address to, uint256 end)',
])

/**
 * The transactions of the first account in the last month, the earliest first. The other side is
 * the second account, bob.latchkey.eth, or an account that the development wallet does not have.
 * The last three are no trades, because the server accepts a price only after three blocks.
 */
export function listPastTransactions(
  id: DevChainId,
  { addresses, accounts }: { addresses: Addresses; accounts: readonly DevAccount[] },
): PastTransaction[] {
  const [alice, bob, , , , frank, grace] = accounts.map(({ address }) => address)
  if (!alice || !bob || !frank || !grace) throw new Error('Seven accounts are needed')
  const { wrappedEther, usd, btc, pictures, uniswapV2Router: router } = addresses
  const parseDollars = (dollars: string) => parseUnits(dollars, devTokens.usd.decimals)

  const pay = (daysAgo: number, [from, to]: [Address, Address], ether: string) => ({
    ...{ daysAgo, from, to },
    value: parseEther(ether),
  })
  const send = (daysAgo: number, [from, to]: [Address, Address], dollars: string) => ({
    ...{ daysAgo, from },
    to: usd,
    data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, parseDollars(dollars)] }),
  })
  const buy = (daysAgo: number, key: keyof typeof devTokens, ether: string) => ({
    ...pay(daysAgo, [alice, router], ether),
    data: encodeFunctionData({
      abi,
      functionName: 'swapExactETHForTokens',
      args: [0n, [wrappedEther, addresses[key]], alice, maxUint256],
    }),
  })
  const sellForBtc = (daysAgo: number, dollars: string) => ({
    ...{ daysAgo, from: alice, to: router },
    data: encodeFunctionData({
      abi,
      functionName: 'swapExactTokensForTokens',
      args: [parseDollars(dollars), 0n, [usd, wrappedEther, btc], alice, maxUint256],
    }),
  })
  const allowRouter = (daysAgo: number, dollars: string) => ({
    ...{ daysAgo, from: alice, to: usd },
    data: encodeFunctionData({
      abi,
      functionName: 'approve',
      args: [router, parseDollars(dollars)],
    }),
  })
  const wrap = (daysAgo: number, ether: string) => ({
    ...pay(daysAgo, [alice, wrappedEther], ether),
    data: encodeFunctionData({ abi, functionName: 'deposit' }),
  })
  const mintPicture = (daysAgo: number) => ({
    ...{ daysAgo, from: alice, to: pictures },
    data: encodeFunctionData({ abi, functionName: 'mint', args: [[alice]] }),
  })
  const givePicture = (daysAgo: number, tokenId: bigint) => ({
    ...{ daysAgo, from: bob, to: pictures },
    data: encodeFunctionData({ abi, functionName: 'transferFrom', args: [bob, alice, tokenId] }),
  })

  const lists: Record<DevChainId, PastTransaction[]> = {
    'eip155:31337': [
      pay(29.2, [frank, alice], '2.5'),
      allowRouter(26.9, '500'),
      sellForBtc(26.8, '400'),
      send(24.6, [alice, bob], '120'),
      buy(21.3, 'usd', '0.4'),
      send(18.1, [bob, alice], '64.5'),
      mintPicture(15.7),
      pay(13.2, [grace, alice], '0.35'),
      wrap(11.5, '0.5'),
      // Each round of minting gives a picture to the first five accounts.
      givePicture(9.4, 7n),
      buy(7.8, 'gold', '0.6'),
      pay(6.1, [alice, grace], '0.05'),
      send(4.6, [alice, bob], '32.25'),
      send(2.3, [bob, alice], '200'),
      pay(1.1, [alice, bob], '0.2'),
      buy(0.8, 'usd', '0.1'),
      pay(0.35, [frank, alice], '0.15'),
      send(0.12, [alice, bob], '25'),
      send(0.05, [bob, alice], '12.5'),
    ],
    'eip155:31338': [
      pay(26.3, [frank, alice], '1.25'),
      send(19.7, [bob, alice], '80'),
      buy(14.4, 'usd', '0.15'),
      send(8.9, [alice, bob], '45.5'),
      mintPicture(5.2),
      pay(2.6, [alice, grace], '0.02'),
      send(1.4, [bob, alice], '19.9'),
      pay(0.3, [grace, alice], '0.075'),
    ],
  }
  return lists[id]
}
