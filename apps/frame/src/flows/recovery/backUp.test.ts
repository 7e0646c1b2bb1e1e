import {
  isError,
  type LatchkeyError,
  listPasskeysRoute,
  startLoginRoute,
  verifyLoginRoute,
} from '@latchkey/wire'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { addDevice } from '../../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import type { FrameContext } from '../../context.ts'
import type { CodePrompt } from '../../screens/CodeScreen.tsx'
import type { SetupProps } from '../../screens/SetupScreen.tsx'
import { createScreenQueue, type ScreenCallbacks } from '../../screens/screenQueue.ts'
import { createKeyWork } from '../../wallet/worker/createKeyWork.ts'
import { backUp } from './backUp.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
const minuteMs = 60_000
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())
afterEach(() => {
  vi.unstubAllGlobals()
})

type Ending = ScreenCallbacks<unknown>

/** The question for a wallet without a way of recovery, in a session that has confirmed nothing. */
async function askAfter(minutes: number) {
  vi.stubGlobal('window', { location: { hostname: 'keys.example' }, isSecureContext: false })
  const userId = await addUser(server)
  // The server can open no address that a test has invented.
  const none = { email_index: null, email_sealed: null }
  await server.db.updateTable('users').set(none).where('id', '=', userId).execute()
  const device = await addDevice(server, { userId })
  const { sessionId } = device
  await server.db.deleteFrom('step_ups').where('session_id', '=', sessionId).execute()
  const work = createKeyWork(device)
  const { addresses } = await work.create({ factors: [] })
  time.nowMs += minutes * minuteMs
  const screenQueue = createScreenQueue()
  const asked: string[] = []
  const session = {
    read: async () => ({ userId, email: 'ada@mail.example' }),
    saveTokens: async () => {},
    call: async (route: { path: string }, body: { action?: string }) => {
      if (route.path === startLoginRoute.path) {
        asked.push(body.action ?? '')
        return { tx: 'login', matchCode: '42', resendSeconds: 30 }
      }
      if (route.path === listPasskeysRoute.path) return { credentialIds: [] }
      if (route.path !== verifyLoginRoute.path) return device.call(route.path, body)
      const expires_at = new Date(time.nowMs + 5 * minuteMs)
      const action = asked.at(-1) ?? ''
      await server.db
        .insertInto('step_ups')
        .values({ session_id: sessionId, action, expires_at })
        .onConflict((row) => row.columns(['session_id', 'action']).doUpdateSet({ expires_at }))
        .execute()
      return {}
    },
  }
  const context = {
    keys: { do: (name: keyof typeof work, params: never) => work[name](params) },
    screenQueue,
    session,
    facts: { projectId: 'local' },
  } as unknown as FrameContext
  const { signal } = new AbortController()
  const ended = backUp(context, { origin: 'http://app.example', mayWait: true, signal })
  ended.catch(() => {})
  const shown = async <Props>(view: string) => {
    await expect.poll(() => !screenQueue.current()?.over && screenQueue.current()?.view).toBe(view)
    return screenQueue.current()?.props as unknown as Props & Ending
  }
  return {
    work,
    addresses,
    screenQueue,
    asked,
    ended,
    choice: () => shown<SetupProps<unknown>>('recovery-setup'),
    code: () => shown<CodePrompt<unknown>>('code'),
  }
}

/** As the screen does with an error that ends it. */
const endBy = (props: Ending) => (error: unknown) => {
  if (!isError(error, 'STEP_UP_NEEDED')) throw error
  props.fail(error as LatchkeyError)
}

test('default: in a new wallet the kit is shown and added without a code', async () => {
  const { work, addresses, asked, choice, ended } = await askAfter(1)
  const first = await choice()
  await first.beforeKit?.()
  const secret = { kind: 'kit', kit: (await work.createKit({})).kit } as const
  first.done(await first.save(secret, undefined))
  await ended
  expect(asked).toEqual([])
  expect(await work.recover({ secret })).toEqual({ addresses })
})

test('behavior: later, the code comes before the kit, and the kit that was shown stays', async () => {
  const { work, addresses, asked, choice, code, ended } = await askAfter(11)
  const first = await choice()
  expect(first.kit).toBeUndefined()
  await first.beforeKit?.().catch(endBy(first))
  const prompt = await code()
  prompt.done(await prompt.check('123456'))
  const paper = await choice()
  const { kit = '' } = paper
  expect(kit).not.toBe('')
  // The user took longer than the confirmation counts: another code, but no other kit.
  time.nowMs += 6 * minuteMs
  const secret = { kind: 'kit', kit } as const
  await paper.save(secret, undefined).then(paper.done, endBy(paper))
  const second = await code()
  second.done(await second.check('123456'))
  await ended
  expect(asked).toEqual(['add kit', 'add kit'])
  expect(await work.recover({ secret })).toEqual({ addresses })
})

test('behavior: who closes the code has written nothing down, and has not answered', async () => {
  const { work, choice, code, ended, screenQueue } = await askAfter(11)
  const first = await choice()
  await first.beforeKit?.().catch(endBy(first))
  await code()
  screenQueue.close()
  await expect(ended).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(await work.getStatus({})).toMatchObject({ lacksRecovery: true })
})
