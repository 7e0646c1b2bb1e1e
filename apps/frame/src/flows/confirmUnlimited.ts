import { LatchkeyError, readMeRoute } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { codes } from '../locales/codes.en.ts'
import { toBase64Url } from '../wallet/crypto/bytes.ts'
import { stepUp } from './withStepUp.ts'

/**
 * Asks the user to confirm an approval that lets others take without a limit: with a passkey, else
 * with a code or at a provider. A session and an open browser are not enough for it. The server
 * verifies the confirmation, which counts only for this approval. Throws USER_REJECTED,
 * STEP_UP_NEEDED, ABORTED.
 */
export async function confirmUnlimited(
  context: Pick<FrameContext, 'session' | 'screenQueue' | 'facts'>,
  { origin, signal }: { origin: string; signal: AbortSignal },
): Promise<void> {
  const { session } = context
  const action = `allow ${toBase64Url(crypto.getRandomValues(new Uint8Array(16)))}` as const
  await stepUp(context, { origin, action, about: { text: codes.stepUp.unlimited }, signal })
  const { stepUpSeconds } = await session.call(readMeRoute, { action })
  if (stepUpSeconds === 0) throw new LatchkeyError('STEP_UP_NEEDED')
  if (signal.aborted) throw new LatchkeyError('ABORTED')
}
