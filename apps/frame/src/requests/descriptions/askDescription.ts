import { describeSignedRoute, type SignedDescription } from '@latchkey/wire'
import { postWithoutProof } from '../../pages/postWithoutProof.ts'

const timeoutMs = 2_500

/**
 * Requests a description from our server. This module is a separate chunk because the route's
 * schema is large. Throws the server's errors, OFFLINE and ANSWER_INVALID.
 */
export async function askDescription(body: {
  chainId: string
  address: string
  key: string
}): Promise<SignedDescription | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs))
  const asked = postWithoutProof(describeSignedRoute, body).then(({ description }) => description)
  return (await Promise.race([asked, late])) ?? undefined
}
