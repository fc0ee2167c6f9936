/**
 * The part of ONNX Runtime's C API that is used here. OrtApi is a table of function pointers to which versions only ever append, so a function is identified by
 * its index. Source: the documentation of onnxruntime_c_api.h; ONNX Runtime asserts the last index of each version (101 of 1, 169 of 8, 209 of 11, 218 of 12).
 */
#ifndef EARSHOT_ORT_API_H
#define EARSHOT_ORT_API_H

#include <stddef.h>
#include <stdint.h>

/** 1.18: the first that reads our graphs (operator set 21). */
#define ORT_API_VERSION_WANTED 18
#define ORT_VERSION_WANTED "1.18"

/** Opaque objects of ONNX Runtime. */
typedef void Ort;
/** NULL means success. */
typedef void OrtFailure;

typedef struct {
  void *const *(*get_api)(uint32_t version);
  const char *(*version)(void);
} OrtApiBase;

/** A custom operator (OrtCustomOp), as a table of functions in the layout of version 18; older libraries read only the first part. */
typedef struct CustomOp CustomOp;
struct CustomOp {
  uint32_t version;
  void *(*create_kernel_before_16)(const CustomOp *op, void *const *api, const Ort *info);
  const char *(*name)(const CustomOp *op);
  const char *(*provider)(const CustomOp *op); /* NULL: the CPU */
  int (*input_type)(const CustomOp *op, size_t i);
  size_t (*input_count)(const CustomOp *op);
  int (*output_type)(const CustomOp *op, size_t i);
  size_t (*output_count)(const CustomOp *op);
  void (*compute_before_16)(void *kernel, Ort *context);
  void (*destroy_kernel)(void *kernel);
  int (*input_characteristic)(const CustomOp *op, size_t i);
  int (*output_characteristic)(const CustomOp *op, size_t i);
  int (*input_memory)(const CustomOp *op, size_t i);
  int (*variadic_inputs_min)(const CustomOp *op);
  int (*variadic_inputs_alike)(const CustomOp *op);
  int (*variadic_outputs_min)(const CustomOp *op);
  int (*variadic_outputs_alike)(const CustomOp *op);
  OrtFailure *(*create_kernel)(const CustomOp *op, void *const *api, const Ort *info, void **kernel);
  OrtFailure *(*compute)(void *kernel, Ort *context);
  OrtFailure *(*infer_shapes)(const CustomOp *op, Ort *context);
  int (*first_version)(const CustomOp *op);
  int (*last_version)(const CustomOp *op);
  void *in_place[4]; /* which outputs may take an input's memory: none */
};

enum { ort_type_float = 1, ort_type_int8 = 3, ort_type_int32 = 6, ort_type_int64 = 7 };
enum { ort_failed = 1 };

enum {
  ort_create_status = 0,
  ort_error_message = 2,
  ort_create_env = 3,
  ort_create_session = 7,
  ort_run = 9,
  ort_create_session_options = 10,
  ort_set_execution_mode = 13,
  ort_enable_mem_pattern = 16,
  ort_disable_mem_pattern = 17,
  ort_enable_cpu_mem_arena = 18,
  ort_disable_cpu_mem_arena = 19,
  ort_set_log_severity = 22,
  ort_set_optimization_level = 23,
  ort_set_intra_op_threads = 24,
  ort_set_inter_op_threads = 25,
  ort_create_domain = 26,
  ort_add_to_domain = 27,
  ort_add_domain = 28,
  ort_input_count = 30,
  ort_output_count = 31,
  ort_input_type_info = 33,
  ort_output_type_info = 34,
  ort_input_name = 36,
  ort_output_name = 37,
  ort_create_run_options = 39,
  ort_create_tensor_with_data = 49,
  ort_tensor_data = 51,
  ort_cast_to_tensor_info = 55,
  ort_element_type = 60,
  ort_dimensions_count = 61,
  ort_dimensions = 62,
  ort_symbolic_dimensions = 63,
  ort_element_count = 64,
  ort_tensor_type_and_shape = 65,
  ort_create_memory_info = 68,
  ort_create_cpu_memory_info = 69,
  ort_memory_info_name = 71,
  ort_allocator_free = 76,
  ort_default_allocator = 78,
  ort_kernel_input = 90,
  ort_kernel_output = 91,
  ort_release_status = 93,
  ort_release_memory_info = 94,
  ort_release_session = 95,
  ort_release_value = 96,
  ort_release_run_options = 97,
  ort_release_type_info = 98,
  ort_release_tensor_info = 99,
  ort_release_session_options = 100,
  ort_add_config_entry = 130,
  ort_run_bound = 133,
  ort_create_binding = 134,
  ort_release_binding = 135,
  ort_bind_input = 136,
  ort_bind_output = 137,
  ort_bind_output_to_device = 138,
  ort_bound_outputs = 140,
  ort_clear_bound_inputs = 141,
  ort_clear_bound_outputs = 142,
  ort_add_initializer = 150,
  ort_add_run_config_entry = 165,
  ort_append_tensorrt = 170,
  ort_create_tensorrt_options = 171,
  ort_update_tensorrt_options = 172,
  ort_release_tensorrt_options = 174,
  ort_tensor_memory_info = 194,
  ort_synchronize_bound_inputs = 202,
  ort_synchronize_bound_outputs = 203,
  ort_append_cuda = 204,
  ort_create_cuda_options = 205,
  ort_update_cuda_options = 206,
  ort_release_cuda_options = 208,
  ort_append_provider = 216,
  ort_constant_input = 249,
  ort_parallel_for = 274,
};

#endif
