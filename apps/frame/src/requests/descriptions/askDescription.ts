import { type Description, describeSigned } from '@latchkey/wire'
import { postWithoutProof } from '../../pages/postWithoutProof.ts'

const timeoutMs = 2_500

/**
 * Asks our server. A chunk of its own, with the route's large schema. Throws its errors, OFFLINE
 * and ANSWER_INVALID.
 */
export async function askDescription(body: {
  chainId: string
  address: string
  key: string
}): Promise<Description | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs))
  const asked = postWithoutProof(describeSigned, body).then(({ description }) => description)
  return (await Promise.race([asked, late])) ?? undefined
}
