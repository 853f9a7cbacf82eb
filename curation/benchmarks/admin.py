"""The back office for benchmarks and their goals."""

from django.contrib import admin

from curation.benchmarks.models import Benchmark, DomainGoal


class DomainGoalInline(admin.TabularInline):
    model = DomainGoal
    extra = 0


@admin.register(Benchmark)
class BenchmarkAdmin(admin.ModelAdmin):
    inlines = [DomainGoalInline]
    list_display = ["name", "slug", "goal", "deadline", "pipeline", "is_demo", "created_at"]
    list_filter = ["is_demo"]
    list_select_related = ["pipeline"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    readonly_fields = ["is_demo", "created_at"]
