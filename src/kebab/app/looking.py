"""The side of App that shows documents to a person: views, facets, pictures of pages, and the files behind them.

Apart from the rest of App so that neither grows too long; interfaces see one App.
"""

from abc import ABC, abstractmethod
from contextlib import ExitStack
from typing import TYPE_CHECKING

from kebab.core.errors import NotIndexed

if TYPE_CHECKING:
    from kebab.app.pictures import Pictures
    from kebab.app.recordings import Recording
    from kebab.config import Config
    from kebab.core.recognition import OcrFailure
    from kebab.core.viewing import DocumentView, FacetReport, PageBoxes, Picture, ViewRequest
    from kebab.store.store import Store


class Looking(ABC):
    """What `App` has to have for it is named first."""

    config: "Config"
    _resources: ExitStack
    _pictures: "Pictures | None" = None

    @abstractmethod
    def _reader(self) -> "Store": ...

    def facets(self) -> "FacetReport":
        """Empty while there is no index."""
        from kebab.app.facets import facets

        try:
            store: Store | None = self._reader()
        except NotIndexed:
            store = None
        return facets(store, self.config.search.stale_threshold_days)

    def failures(self) -> "list[OcrFailure]":
        from kebab.app.failures import failures

        return failures(self.config, self._reader())

    def corpus_revision(self) -> int:
        """Another number whenever a document came, went or changed; 0 while there is no index."""
        try:
            return self._reader().runs.corpus_revision()
        except NotIndexed:
            return 0

    def view(self, request: "ViewRequest") -> "DocumentView":
        from kebab.app.view import Viewer

        store = self._reader()
        return Viewer(store, self.config.search.stale_threshold_days, self._drawer().sizes).view(request)

    def page_image(self, reference: str, page: int, width: int) -> "Picture":
        return self._drawer().page(reference, page, width)

    def page_boxes(self, reference: str, page: int, quote: str) -> "PageBoxes":
        return self._drawer().boxes(reference, page, quote)

    def picture(self, reference: str) -> "Picture":
        return self._drawer().image(reference)

    def recording(self, reference: str) -> "Recording":
        """The file of a recording, open. Whoever gets it closes it."""
        from kebab.app.recordings import find_recording

        return find_recording(self._reader(), self.config, reference)

    def _drawer(self) -> "Pictures":
        from kebab.app.pictures import Pictures

        if self._pictures is None:
            self._pictures = Pictures(self._reader(), self.config)
            self._resources.callback(self._forget_pictures)
        return self._pictures

    def _forget_pictures(self) -> None:
        if self._pictures is not None:
            self._pictures.close()
        self._pictures = None
