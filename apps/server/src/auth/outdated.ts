/** Why a call of an older frame is refused: that one does not show what has to be shown. */
export const outdatedPage = 'this page is older than the server. Load it again'
