import { z } from 'zod'

const entryPoint = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
const refusal = 'Not sponsored: the limit of this account is reached for today'
/** In wei for a unit of gas. 100,000 of it cost a little less than what the development operator promises an account in a day. */
const highestPrice = 2n ** 43n
/** 100,000 of it cost less than any operation. */
const lowestPrice = 2n ** 28n

const answerSchema = z.object({
  result: z.object({ paymaster: z.string() }).optional(),
  error: z.object({ message: z.string() }).optional(),
})

/**
 * Has the operator of a development chain promise an account all that it pays for in a day, so that the account has to pay for
 * its next operation itself. `web` is the server's URL. Throws on an answer other than a promise or the limit.
 */
export async function exhaustSponsorship(
  web: string,
  { chainId, account }: { readonly chainId: string; readonly account: string },
): Promise<void> {
  const url = `${web}/v1/bundler?projectId=local&chainId=${chainId}`
  const chain = `0x${Number(chainId.split(':')[1]).toString(16)}`
  // Each half at most once: what is left in the end is less than the last.
  for (let price = highestPrice; price >= lowestPrice; price /= 2n) {
    const operation = {
      ...{ sender: account, nonce: '0x0', callData: '0x', signature: '0x' },
      // The paymaster's own gas is 80,000.
      ...{ callGasLimit: '0x4e20', verificationGasLimit: '0x0', preVerificationGas: '0x0' },
      ...{ maxFeePerGas: `0x${price.toString(16)}`, maxPriorityFeePerGas: '0x1' },
    }
    const params = [operation, entryPoint, chain]
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'pm_getPaymasterData', params }),
    })
    const { result, error } = answerSchema.parse(await response.json())
    if (!result && error?.message !== refusal)
      throw new Error(error?.message ?? `HTTP ${response.status}`)
  }
}
