import { type Address, type Hex, pad, toHex } from 'viem'
import { readArtifact } from '../contracts/artifacts.ts'
import { callRpc } from './rpc.ts'

/** L1Block: the network calculates the cost of a transaction's data from its storage. */
const l1Block: Address = '0x4200000000000000000000000000000000000015'
/** GasPriceOracle: returns this cost. */
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'

/**
 * Slots of {@link l1Block}: the price of gas on the layer below, the factor that it counts with,
 * and the fee of the operator.
 */
const slots = { basefee: 1n, scalars: 3n, operatorFee: 8n }

/**
 * Adds the two fee contracts to a chain of the OP stack. At first a payment costs 3.3 * 10^13 wei
 * in addition to its gas, about as much as the gas. The operator charges 10^12 wei and a tenth of a
 * wei per unit of gas.
 */
export async function placeFeeOracle(url: string): Promise<void> {
  const isDeployed = (await callRpc(url, 'eth_getCode', [l1Block, 'latest'])) !== '0x'
  await place(url, gasPriceOracle, 'DevGasPriceOracle')
  await place(url, l1Block, 'DevL1Block')
  if (isDeployed) return
  await setPriceBelow(url, 30n * 10n ** 9n)
  await write(url, slots.scalars, 684_000n << 96n)
  await write(url, slots.operatorFee, (100_000n << 64n) | (10n ** 12n))
}

/** Sets the price of gas on the layer below, in wei. */
export const setPriceBelow = (url: string, wei: bigint): Promise<unknown> =>
  write(url, slots.basefee, wei)

async function place(url: string, address: Address, name: Parameters<typeof readArtifact>[0]) {
  const { bytecode } = readArtifact(name)
  // The code that a deployment leaves.
  const code = await callRpc(url, 'eth_call', [{ data: bytecode }, 'latest'])
  await callRpc(url, 'anvil_setCode', [address, code])
}

const write = (url: string, slot: bigint, value: bigint) =>
  callRpc(url, 'anvil_setStorageAt', [l1Block, word(slot), word(value)])

const word = (value: bigint): Hex => pad(toHex(value))
