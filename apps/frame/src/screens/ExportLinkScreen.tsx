import { fill } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { getThemeQuery } from '../pages/windowTheme.ts'
import { pictureWord } from '../picture/picture.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { Button } from './parts/Button.tsx'
import type { WithPicture } from './screenQueue.ts'

const t = pages.export

/** The frame never shows the phrase itself; this screen leads to a separate tab. */
export function ExportLinkScreen({
  projectId,
  socials,
  picture,
  done,
}: PageProps & PageEnding & WithPicture) {
  const open = () => {
    // The tab has separate storage, so the picture is passed to it.
    const place = [projectId, ...socials, ...(picture ? [pictureWord + picture.id] : [])].join()
    window.open(`/export${getThemeQuery(document)}#${place}`, '_blank', 'noopener')
    done(undefined)
  }
  return (
    <div className="stack">
      <p className="lead">{fill(t.openTab, { host: window.location.host })}</p>
      <Button onClick={open}>{t.open}</Button>
    </div>
  )
}
