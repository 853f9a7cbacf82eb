import os
import sys
from importlib import import_module

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from phybench.work.stack import with_room

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")

try:
    application = with_room(get_wsgi_application())
except ImproperlyConfigured as error:
    sys.exit(f"phybench: {error}")
# Every page is loaded before the first request, not in it.
import_module("phybench.urls")
