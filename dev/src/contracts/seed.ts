import { type Address, toHex } from 'viem'
import { z } from 'zod'
import { callRpc } from '../chains/rpc.ts'
import { readArtifact } from './artifacts.ts'
import type { Plan } from './plan.ts'

const gasLimit = toHex(12_000_000)
const quantity = z.string().regex(/^0x[0-9a-f]+$/)
const receiptSchema = z.object({ status: z.literal('0x1') })

/**
 * Sends the steps of `plan` that the chain does not have yet. The deployer's nonce shows the
 * progress of an earlier run, so seeding may run twice, or after a kill. Throws an error that names
 * the failed step.
 */
export async function seed(parameters: {
  url: string
  deployer: Address
  plan: Plan
}): Promise<{ sent: number }> {
  const { url, deployer, plan } = parameters
  const { addresses, steps } = plan
  const code = await callRpc(url, 'eth_getCode', [addresses.multicall3, 'latest'])
  if (code === '0x') {
    await callRpc(url, 'anvil_setCode', [addresses.multicall3, readArtifact('Multicall3').bytecode])
  }
  const done = Number(
    quantity.parse(await callRpc(url, 'eth_getTransactionCount', [deployer, 'latest'])),
  )
  for (const [nonce, step] of steps.entries()) {
    if (nonce < done) continue
    const hash = await callRpc(url, 'eth_sendTransaction', [
      {
        from: deployer,
        nonce: toHex(nonce),
        gas: gasLimit,
        data: step.data,
        ...(step.to && { to: step.to }),
        ...(step.value && { value: toHex(step.value) }),
      },
    ])
    await assertMined({ url, hash, what: `Step ${nonce} of the contracts` })
  }
  return { sent: Math.max(0, steps.length - done) }
}

type Sent = { readonly url: string; readonly hash: unknown; readonly what: string }

/**
 * Checks that a transaction has succeeded. It is mined right after it is sent, but not before the
 * response. Throws an error that names the failed step.
 */
export async function assertMined({ url, hash, what }: Sent): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    const receipt = await callRpc(url, 'eth_getTransactionReceipt', [hash])
    if (receiptSchema.safeParse(receipt).success) return
    if (receipt !== null) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${what} failed at ${url} (transaction ${hash})`)
}
