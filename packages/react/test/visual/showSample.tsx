import type { App } from '@latchkey/core/internal'
import { expect, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Messages } from '../../src/index.ts'
import type { Filling } from '../gallery/fillings.ts'
import { untilStill } from '../gallery/measures.ts'
import { openSample, SamplePage } from '../gallery/openSample.tsx'
import type { Sample } from '../gallery/samples.ts'
import type { testApp } from '../testApp.ts'

/**
 * Draws the view of a sample, loaded. `translate` draws it with other messages; `answers` replace
 * the sample server's.
 */
export async function showSample(
  sample: Sample,
  {
    messages,
    ...setup
  }: { filling: Filling; messages?: Messages; answers?: Parameters<typeof testApp>[1] },
): Promise<{ app: App; translate: (messages: Messages) => Promise<void> }> {
  const { app, silence } = await openSample(sample, setup)
  onTestFinished(silence)
  const { rerender } = await render(<SamplePage app={app} messages={messages} />)
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await untilStill(sample)
  return { app, translate: (next) => rerender(<SamplePage app={app} messages={next} />) }
}
