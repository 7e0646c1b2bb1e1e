import type { Page } from 'playwright-core'

/**
 * Styles with which a page can cover, crop or move the frame it holds, or the elements around it.
 */
export const covers: Record<string, string> = {
  'an opaque overlay': `over('background:#fff')`,
  'a transparent overlay': `over('background:transparent')`,
  'an overlay that lets clicks through': `over('background:#f00;opacity:.01;pointer-events:none')`,
  'an overlay over the button alone': `over('top:440px;height:100px;background:#0f0')`,
  'opacity .99': `frame.style.opacity = '.99'`,
  'opacity .01': `frame.style.opacity = '.01'`,
  'a filter': `frame.style.filter = 'contrast(.2)'`,
  'a scale': `frame.style.transform = 'scale(.5)'`,
  'a rotation': `frame.style.transform = 'rotate(3deg)'`,
  'clip-path': `frame.style.clipPath = 'inset(0 0 200px 0)'`,
  'a crop': `const box = document.createElement('div'); box.className = 'over'; box.style.cssText = 'height:300px;overflow:hidden;position:absolute;inset:0'; frame.style.marginTop = '-300px'`,
  'being scrolled off': `frame.style.marginTop = '-300px'`,
  'being beside the window': `frame.style.marginLeft = '700px'`,
  'too small a size': `frame.style.height = '300px'`,
  'too narrow a size': `frame.style.width = '300px'`,
  'a blend mode': `frame.style.mixBlendMode = 'difference'; document.body.style.background = '#fff'`,
}

/** Runs code such as {@link covers} in the page. */
export const coverFrame = (page: Page, code: string) =>
  page.evaluate(
    `{ const frame = document.querySelector('#frame'); frame.dataset.plain ??= frame.style.cssText; const over = (css) => { const other = document.createElement('div'); other.className = 'over'; other.style.cssText = 'position:absolute;top:0;left:0;width:400px;height:600px;' + css; document.body.append(other) }; ${code} }`,
  )

/** Takes everything away again. */
export const uncoverFrame = (page: Page) =>
  page.evaluate(() => {
    for (const other of document.querySelectorAll('.over')) other.remove()
    document.body.removeAttribute('style')
    const iframe = document.querySelector<HTMLElement>('#frame')
    if (iframe?.dataset.plain) iframe.style.cssText = iframe.dataset.plain
    delete iframe?.dataset.plain
  })

/** Makes the frame as high as all of its text for as long as it takes to draw it twice. */
export const flashHeight = (page: Page) =>
  page.evaluate(async () => {
    const draw = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const style = document.createElement('style')
    style.textContent = '#frame { height: 9000px !important }'
    document.head.append(style)
    for (let count = 0; count < 3; count++) await draw()
    style.remove()
    for (let count = 0; count < 3; count++) await draw()
  })
