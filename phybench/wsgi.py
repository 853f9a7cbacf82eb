import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")

application = get_wsgi_application()
# Every page is loaded before the first request, not in it.
import_module("phybench.urls")
