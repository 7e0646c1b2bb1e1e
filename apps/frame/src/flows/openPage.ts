import { type FramePage, type FrameView, isError } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { account } from '../locales/account.en.ts'
import { pages } from '../locales/pages.en.ts'
import type { PageEnd, PageProps } from '../screens/pageProps.ts'
import { withStepUp } from './withStepUp.ts'

const titles: Record<FramePage, string> = {
  settings: account.settings.title,
  devices: account.devices.title,
  recovery: account.recovery.title,
  export: pages.export.title,
}

const load = {
  settings: async () => (await import('../screens/SettingsScreen.tsx')).SettingsScreen,
  devices: async () => (await import('../screens/DevicesScreen.tsx')).DevicesScreen,
  recovery: async () => (await import('../screens/RecoveryScreen.tsx')).RecoveryScreen,
  export: async () => (await import('../screens/ExportLinkScreen.tsx')).ExportLinkScreen,
} as const

/** Shows a page, and the pages that it leads to, until the user closes them. */
export async function openPage(
  context: FrameContext,
  { page, origin, signal }: { page: FramePage; origin: string; signal: AbortSignal },
): Promise<void> {
  const { session, keys, screenQueue, store, facts } = context
  const run = async () => {
    let next: FramePage | undefined = page
    let problem: unknown
    while (next) {
      const here: FramePage = next
      const end: PageEnd = await screenQueue.show<PageProps, PageEnd>(
        {
          view: here satisfies FrameView,
          title: titles[here],
          load: load[here],
          props: { session, keys, store, projectId: facts.projectId, problem },
        },
        signal,
      )
      problem = undefined
      next = end && 'to' in end ? end.to : undefined
      if (!end || !('run' in end)) continue
      try {
        const { code, run } = end
        await (code ? withStepUp(context, { ...code, origin, signal }, run) : run())
      } catch (error) {
        problem = error
      }
      next = (await session.read()) ? here : undefined
    }
  }
  try {
    await screenQueue.during(run)
  } catch (error) {
    // A page ends when it is closed.
    if (!isError(error, 'USER_REJECTED')) throw error
  }
}
